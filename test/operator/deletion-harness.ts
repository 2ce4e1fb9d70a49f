import { deleteProperty, type DeletePropertyDeps } from '../../shared/operator/delete-property.ts';
import { jobFolders, objectKeys } from '../../shared/exports/model/work-keys.ts';
import {
  correctionsKeyOf,
  expandedKeyOf,
  recordsKeyOf,
  reportFileKeyOf,
  reportKeyOf,
  uploadKeyOf,
} from '../../shared/imports/items/object-keys.ts';
import { propertyFolders } from '../../shared/properties/folders.ts';
import type { Folders } from '../../shared/runtime/s3-folders.ts';
import { importPrefix } from '../../shared/sftp/paths.ts';
import type { Key } from '../../shared/table/keys.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { memorySchedules } from '../support/memory-schedules.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { itemsOfProperty } from '../table/sample-keys.ts';
import { authHarness, makeAccount } from '../auth/harness.ts';
import { limits } from '../../shared/config/limits.ts';

/** Keys of the objects that a property has in each bucket. */
const objectsOf = (account: number, property: number) => {
  const [id, ref] = [property * 1_000_000_000 + 7, { property, export: 1, job: 2 }];
  return {
    uploads: [uploadKeyOf(property, id, id, 'a.csv'), `${importPrefix(account, property, id)}a.csv`],
    work: [
      recordsKeyOf(property, id, 'b'),
      correctionsKeyOf(property, id, 'c'),
      reportKeyOf('errors', { property, id }, 'b', 'a'),
      reportKeyOf('warnings', { property, id }, 'b', 'a'),
      reportFileKeyOf('errors', { property, id }, 'comma'),
      expandedKeyOf(property, id, 'a'),
      objectKeys.sizes(ref, 'a'),
      objectKeys.part(ref, 1, 'a'),
      ...propertyFolders(account, property).map((folder) => `${folder}any`),
    ],
    exports: [
      ...jobFolders(ref).map((folder) => `${folder}any`),
      objectKeys.members(ref, 'a', 'full'),
      objectKeys.members(ref, 'a', 'delta'),
      objectKeys.file(ref, 'a'),
    ],
  };
};

/** Two objects at a time, so that a folder takes several. */
const foldersOf = (objects: MemoryObjects): Folders => ({
  removeSome: async (prefix) => {
    const some = (await objects.list(prefix)).slice(0, 2);
    for (const key of some) await objects.remove(key);
    return some.length;
  },
});

const textOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

/**
 * Two accounts, each with a property that has an item, an object and a schedule of every kind. `before` is called ahead of
 * every operation of a store. Unless they are `filled` the properties have nothing.
 */
export const deletionHarness = async (
  before: (operation: string) => void = () => undefined,
  filled = true,
) => {
  const hooks: { before: (operation: string) => void } = { before: () => undefined };
  const names = { table: 'tidemark-test' };
  const told = (store: string) => (operation: string) => hooks.before(`${store} ${operation}`);
  const [table, credentials] = [new MemoryTable(told('table')), new MemoryTable(told('credentials'))];
  const harness = authHarness({ table, credentials });
  const schedules = memorySchedules(told('schedules'));
  const buckets = {
    uploads: new MemoryObjects(told('uploads')),
    work: new MemoryObjects(told('work')),
    exports: new MemoryObjects(told('exports')),
  };
  const [gone, kept] = [await makeAccount(harness, 'gone'), await makeAccount(harness, 'kept')];
  for (const { account, property } of filled ? [gone, kept] : []) {
    for (const [key, set = {}] of Object.values(itemsOfProperty(property)))
      await table.write({ kind: 'insert', key, set });
    const objects = objectsOf(account, property);
    for (const bucket of ['uploads', 'work', 'exports'] as const)
      for (const key of objects[bucket]) await buckets[bucket].put(key, 'somebody');
    const id = property * 1_000_000_000 + 7;
    for (const thing of [`export-${id}-r1`, `export-${id}-r2`, `timeline-${id}`])
      await schedules.create({
        name: `p${property}-${thing}-0`,
        expression: 'rate(1 day)',
        timezone: 'UTC',
        input: '{}',
        once: false,
      });
  }
  const deps: DeletePropertyDeps = {
    ...harness.deps,
    table,
    get tableName() {
      return names.table;
    },
    buckets: Object.values(buckets).map(foldersOf),
    schedules,
  };
  hooks.before = before;
  const call = (confirm = 'Shop', property = gone.property) =>
    deleteProperty(deps, { command: 'property.delete', property, confirm, operator: 'ada' });
  /** Calls until the deletion waits or is done; returns the last answer. */
  const callOn = async (...named: Parameters<typeof call>) => {
    for (let calls = 0; calls < 100; calls += 1) {
      const answer = await call(...named);
      if (!answer.ok || answer.value.state !== 'erasing') return answer;
    }
    throw new Error('the deletion does not end');
  };
  return {
    ...harness,
    gone,
    kept,
    hooks,
    names,
    /** Names of all stored items and objects, except those of users. */
    stored: (): readonly string[] => {
      const secrets = table.items().filter(({ pk }) => /^(DOWNLOAD|CHART|CONFIRMATION)#/.test(pk));
      return [
        ...table.items().map(textOf),
        ...secrets.map((item) => `${textOf(item)} of ${String(item['property'])}`),
        ...credentials
          .items()
          .filter(({ pk }) => /^(ACCOUNT|PROPERTY)#/.test(pk))
          .map(textOf),
        ...Object.values(buckets).flatMap((bucket) => bucket.keys()),
        ...schedules.made.keys(),
      ].toSorted();
    },
    call,
    callOn,
    /** Calls until nothing is left, and waits whenever the deletion says so. */
    deleteAll: async (...named: Parameters<typeof call>): Promise<void> => {
      for (let passes = 0; passes < 10; passes += 1) {
        const answer = await callOn(...named);
        // A call that died leaves its lease, or nothing at all when it died behind its last write.
        if (!answer.ok && answer.error.code === 'unknown_property') return;
        if (answer.ok && answer.value.state === 'deleted') return;
        harness.time.now += (answer.ok ? limits.deletion.quietSeconds : limits.deletion.callSeconds) * 1_000;
      }
      throw new Error('the deletion does not end');
    },
  };
};
export type DeletionHarness = Awaited<ReturnType<typeof deletionHarness>>;
