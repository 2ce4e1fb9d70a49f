import * as v from 'valibot';
import { tableNames } from '../support/table-names.ts';
import { post, type Exercise, type Harness } from './exercise-scene.ts';

const scanned = v.object({
  Items: v.array(v.looseObject({ pk: v.object({ S: v.string() }) })),
  LastEvaluatedKey: v.optional(v.unknown()),
});

/** The stored profiles and claims of the table. */
const peopleIn = async ({ service }: Harness) => {
  const { table } = service.cloud.parts.storage;
  const people: v.InferOutput<typeof scanned>['Items'] = [];
  let start: unknown;
  do {
    const more = start === undefined ? {} : { ExclusiveStartKey: start };
    const { body } = await table.call('Scan', { TableName: tableNames.table, ...more });
    const page = v.parse(scanned, body);
    people.push(...page.Items.filter(({ pk }) => /^P#\d+#[BI]#/.test(pk.S)));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return people;
};

/** Forgets a person, puts all persons back as a restore would, and forgets the person again. */
export const replayForgettings: Exercise = async (harness) => {
  const { service, fresh } = harness;
  const since = new Date().toISOString();
  const email = `again${fresh()}@example.org`;
  const path = `/v1/${service.property}/profile`;
  await post(harness, `${path}s`, { email });
  const people = await peopleIn(harness);
  await service.call('DELETE', `${path}?email=${encodeURIComponent(email)}`);
  for (const Item of people)
    await service.cloud.parts.storage.table.call('PutItem', { TableName: tableNames.table, Item });
  await service.cloud.invoke('replayForgettings', { operator: 'ada', command: 'forgettings.replay', since });
};
