import type { TestService } from '../support/service.ts';
import { tableNames } from '../support/table-names.ts';
import { isInFolder, placesOfKey, type Table } from './place-of.ts';
import { itemsIn } from '../support/items.ts';

const tables: readonly Table[] = ['table', 'credentials', 'auditLog', 'rates'];

/** Keys of a running service that the list of places does not have: of items, by table, and of objects, by bucket. */
export const unplacedIn = async ({ cloud }: TestService): Promise<readonly string[]> => {
  const { s3 } = cloud.parts.storage;
  const found: string[] = [];
  for (const table of tables) {
    for await (const { pk, sk } of itemsIn(cloud, tableNames[table]))
      if (placesOfKey(table, { pk: pk.S, sk: sk.S }).length !== 1) found.push(`${table}: ${pk.S} ${sk.S}`);
  }
  const objects = cloud.deployment.buckets.flatMap(({ name }) => s3.list(name));
  return [...found, ...objects.filter((key) => !isInFolder(key))];
};
