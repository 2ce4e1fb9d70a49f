import { randomUUID } from 'node:crypto';
import type { Key } from '../../shared/table/keys.ts';
import type { Service } from './service.ts';
import { tableNames } from './table-names.ts';

/**
 * Changes numbers in an item of the running service, by their paths, for facts that a test cannot wait for.
 * Creates a missing item.
 */
export const changeItem = async (
  { cloud }: Pick<Service, 'cloud'>,
  { pk, sk }: Key,
  numbers: Readonly<Record<string, number>>,
): Promise<void> => {
  const paths = Object.entries(numbers);
  const names = paths.flatMap(([path]) => path.split('.'));
  await cloud.parts.storage.table.call('UpdateItem', {
    TableName: tableNames.table,
    Key: { pk: { S: pk }, sk: { S: sk } },
    UpdateExpression: `SET #w = :w, ${paths
      .map(
        ([path], index) =>
          `${path
            .split('.')
            .map((name) => `#${name}`)
            .join('.')} = :v${index}`,
      )
      .join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries([...names, 'w'].map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ':w': { S: randomUUID() },
      ...Object.fromEntries(paths.map(([, value], index) => [`:v${index}`, { N: String(value) }])),
    },
  });
};
