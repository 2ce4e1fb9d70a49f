import * as v from 'valibot';
import { keys, TASK_PARTITIONS } from '../../shared/table/keys.ts';
import { changePresent } from '../support/items.ts';
import { tableNames } from '../support/table-names.ts';
import { fire, type Cast } from './cast.ts';

const found = v.looseObject({
  body: v.looseObject({ Items: v.array(v.looseObject({ sk: v.object({ S: v.string() }) })) }),
});

/** Looks at all tasks now, whenever they are due. A task that ends meanwhile stays ended. */
export const lookAtTasks = async (cast: Cast): Promise<void> => {
  for (let partition = 0; partition < TASK_PARTITIONS; partition += 1) {
    const pk = keys.tasks(partition);
    const query = {
      TableName: tableNames.table,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: pk } },
      ConsistentRead: true,
    };
    const { body } = v.parse(found, await cast.service.cloud.parts.storage.table.call('Query', query));
    for (const { sk } of body.Items)
      await changePresent(cast.service, { pk, sk: sk.S }, { due: 1, until: 1 });
  }
  await fire(cast, 'reconcileTasks');
};
