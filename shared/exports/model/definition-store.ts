/** Definition store: keeps export definitions, and the outbox of the reconciliation tasks of exports, in the table. */
import * as v from 'valibot';
import type { Listed, Page } from '../../http/listing.ts';
import { deleteWrite, isLive, purgeWrite } from '../../references/lifecycle.ts';
import { allItems } from '../../table/all-items.ts';
import { allocateIdOnce, allocatedId, type RequestIdentity } from '../../table/idempotent-ids.ts';
import { keys } from '../../table/keys.ts';
import { scopedId } from '../../table/scoped-ids.ts';
import type { Table, WriteOutcome } from '../../table/table.ts';
import { versioned, type Versioned } from '../../table/versioned.ts';
import { exportDefinition, outboxTaskItem, type ExportDefinition, type OutboxTask } from './items.ts';
import { listedItems } from './listed-items.ts';

/** Definitions of exports and their ids. */
export interface DefinitionStore {
  /** The id of the export or job that a request makes: the same for each repetition of the request, another in each round. */
  idOf(requestIdentity: RequestIdentity, name: 'export' | 'export-job', round?: number): Promise<number>;
  /** The definition that an earlier try of the same request made, unless it was deleted since. */
  madeBy(requestIdentity: RequestIdentity): Promise<ExportDefinition | undefined>;
  /**
   * Stores a new definition and returns the stored definition, which an earlier try of the same request may have made. Returns
   * `undefined` when a tombstone holds the id. The job of the definition must be stored first, so that a reader of the definition
   * finds it.
   */
  addDefinition(definition: ExportDefinition): Promise<ExportDefinition | undefined>;
  /** `undefined` for a definition that does not exist or was deleted. */
  definition(property: number, id: number): Promise<Versioned<ExportDefinition> | undefined>;
  definitions(property: number, page: Page): Promise<Listed<ExportDefinition>>;
  /** Changes a definition; refused when another writer changed it since it was read. */
  updateDefinition(seen: Versioned<ExportDefinition>, set: Partial<ExportDefinition>): Promise<WriteOutcome>;
  /** Soft delete: marks a definition as deleted; refused when another writer changed it since it was read. */
  markDeleted(seen: Versioned<ExportDefinition>): Promise<WriteOutcome>;
  /** Purges the item of a definition that is marked as deleted. */
  removeDefinition(property: number, id: number): Promise<void>;
}

/**
 * Transactional outbox: a task is stored before the work that it describes begins, and the reconciliation (`repairExports`) removes
 * it once the work is finished. Work that a crashed function left behind therefore always has its task.
 */
export interface Outbox {
  /**
   * Adds a task. A task that is stored already gets a new version, so that a reconciliation which has not seen the new work does not
   * remove the task.
   */
  addOutboxTask(task: OutboxTask): Promise<void>;
  /** Removes a finished task unless it was added again since it was read. */
  removeOutboxTask(seen: Versioned<OutboxTask>): Promise<void>;
  /** All tasks of one of the `OUTBOX_PARTITIONS`. */
  outboxTasks(partition: number): Promise<readonly Versioned<OutboxTask>[]>;
}

const parseDefinition = versioned(exportDefinition);
const parseTask = versioned(outboxTaskItem);

/** Definitions in the table. */
export const definitionStore = (table: Table): DefinitionStore => ({
  idOf: (requestIdentity, name, round = 0) =>
    allocateIdOnce(table, requestIdentity, `${name}#${round}`, async () =>
      scopedId(
        requestIdentity.property,
        await table.increment(keys.counter(requestIdentity.property, name), 1),
      ),
    ),
  madeBy: async (requestIdentity) => {
    for (let round = 0; ; round += 1) {
      const id = await allocatedId(table, requestIdentity, `export#${round}`);
      if (id === undefined) return undefined;
      const item = await table.get(keys.exportDefinition(requestIdentity.property, id));
      if (isLive(item)) return v.parse(exportDefinition, item);
    }
  },
  addDefinition: async (definition) => {
    const key = keys.exportDefinition(definition.property, definition.export);
    if ((await table.write({ kind: 'insert', key, set: { ...definition } })) === 'applied') return definition;
    // The item is our own, from a try whose answer was lost, or the tombstone of another writer.
    const item = await table.get(key);
    return isLive(item) ? v.parse(exportDefinition, item) : undefined;
  },
  definition: async (property, id) => {
    const item = await table.get(keys.exportDefinition(property, id));
    return isLive(item) ? parseDefinition(item) : undefined;
  },
  definitions: async (property, page) => {
    const { items, ...rest } = await table.query(keys.exportDefinition(property, 0).pk, page);
    return listedItems({ items: items.filter(isLive), ...rest }, exportDefinition);
  },
  updateDefinition: ({ value, w }, set) => {
    const key = keys.exportDefinition(value.property, value.export);
    return table.write({ kind: 'update', key, set: { ...set }, expect: { w } });
  },
  markDeleted: ({ value, w }) =>
    table.write(deleteWrite(keys.exportDefinition(value.property, value.export), w)),
  removeDefinition: async (property, id) => {
    await table.write(purgeWrite(keys.exportDefinition(property, id)));
  },
});

const taskKey = ({ property, export: id, job, revision }: OutboxTask) =>
  keys.exportOutboxTask(property, id, job === null ? `SCHEDULE#${revision}` : `JOB#${job}`);

/** The outbox in the table. */
export const outbox = (table: Table): Outbox => ({
  addOutboxTask: async (task) => {
    const key = taskKey(task);
    const insert = { kind: 'insert', key, set: { ...task } } as const;
    if ((await table.write(insert)) === 'applied') return;
    // A refused update means that the reconciliation removed the task in between: it is over, and the task is added anew.
    if ((await table.write({ kind: 'update', key, set: {}, expect: {} })) === 'refused')
      await table.write(insert);
  },
  removeOutboxTask: async ({ value, w }) => {
    await table.write({ kind: 'delete', key: taskKey(value), expect: { w } });
  },
  outboxTasks: async (partition) =>
    (await allItems(table, keys.exportOutbox(partition))).flatMap((item) => parseTask(item) ?? []),
});
