import * as v from 'valibot';
import type { TestService } from '../support/service.ts';
import { tableNames } from '../support/table-names.ts';
import { isInFolder, placesOfKey, type Table } from './place-of.ts';

const text = v.object({ S: v.string() });
const scanned = v.object({
  Items: v.array(v.looseObject({ pk: text, sk: text })),
  LastEvaluatedKey: v.optional(v.record(v.string(), v.unknown())),
});

const tables: readonly Table[] = ['table', 'credentials', 'auditLog', 'rates'];

/** Keys of a running service that the list of places does not have: of items, by table, and of objects, by bucket. */
export const unplacedIn = async ({ cloud }: TestService): Promise<readonly string[]> => {
  const { table: engine, s3 } = cloud.parts.storage;
  const found: string[] = [];
  for (const table of tables) {
    let after: Readonly<Record<string, unknown>> | undefined;
    do {
      const start = after === undefined ? {} : { ExclusiveStartKey: after };
      const { body } = await engine.call('Scan', { TableName: tableNames[table], ...start });
      const page = v.parse(scanned, body);
      for (const { pk, sk } of page.Items)
        if (placesOfKey(table, { pk: pk.S, sk: sk.S }).length !== 1) found.push(`${table}: ${pk.S} ${sk.S}`);
      after = page.LastEvaluatedKey;
    } while (after !== undefined);
  }
  const objects = cloud.deployment.buckets.flatMap(({ name }) => s3.list(name));
  return [...found, ...objects.filter((key) => !isInFolder(key))];
};
