import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import type { Listed, Page } from '../../http/listing.ts';
import { DAY_SECONDS } from '../../runtime/clock.ts';
import { keys } from '../../table/keys.ts';
import { allItems } from '../../table/all-items.ts';
import { allocateIdOnce, allocatedId, type RequestKey } from '../../table/idempotent-ids.ts';
import { scopedId } from '../../table/scoped-ids.ts';
import type { Attributes, StoredItem, Table, WriteOutcome } from '../../table/table.ts';
import { deleteWrite, isLive, purgeWrite } from '../../references/lifecycle.ts';
import {
  outboxTaskItem,
  deliveryKinds,
  exportDefinition,
  exportDelivery,
  exportJob,
  exportPart,
  hostKeyItem,
  type OutboxTask,
  type DeliveryKind,
  type ExportDefinition,
  type ExportDelivery,
  type ExportJob,
  type ExportPart,
  type HostKey,
  type JobRef,
} from './items.ts';
import { downloadKey } from './location.ts';

/** A stored thing with the nonce of the state that was read, for conditional writes. */
export interface Seen<T> {
  readonly value: T;
  readonly w: string;
}

const seen =
  <T>(schema: v.GenericSchema<unknown, T>) =>
  (item: StoredItem | undefined): Seen<T> | undefined =>
    item && { value: v.parse(schema, item), w: item.w };
const seenJob = seen(exportJob);
const seenDelivery = seen(exportDelivery);
const seenDefinition = seen(exportDefinition);
const seenChore = seen(outboxTaskItem);

const jobKey = ({ property, export: id, job }: JobRef) => keys.exportJob(property, id, job);
const deliveryKey = ({ property, export: id, job }: JobRef, kind: DeliveryKind) =>
  keys.exportDelivery(property, id, job, kind);
/** A host's name is what a client wrote: it enters the key as a hash. */
const hostKeyKey = ({ property, export: id }: Pick<ExportDefinition, 'property' | 'export'>, host: string) =>
  keys.exportHostKey(property, id, createHash('sha256').update(host).digest('hex'));

const choreKey = ({ property, export: id, job, revision }: OutboxTask) =>
  keys.exportOutboxTask(property, id, job === null ? `SCHEDULE#${revision}` : `JOB#${job}`);

/** Export definitions, jobs, parts and deliveries in the table. */
export const exportRepository = (table: Table) => ({
  /** The id of an export or a job that a cause makes, the same each time; `attempt` tells the tries of one time apart. */
  idOf: (cause: RequestKey, name: 'export' | 'export-job', attempt = 0): Promise<number> =>
    allocateIdOnce(table, cause, `${name}#${attempt}`, async () =>
      scopedId(cause.property, await table.increment(keys.counter(cause.property, name), 1)),
    ),
  /** The number of the replay of a delivery that a cause asks for: `next`, unless it has asked before. */
  replayOf: (cause: RequestKey, next: number): Promise<number> =>
    allocateIdOnce(table, cause, 'replay', () => Promise.resolve(next)),
  /** The definition that a cause has made, when it is still there. */
  madeBy: async (cause: RequestKey): Promise<ExportDefinition | undefined> => {
    for (let attempt = 0; ; attempt += 1) {
      const id = await allocatedId(table, cause, `export#${attempt}`);
      if (id === undefined) return undefined;
      const item = await table.get(keys.exportDefinition(cause.property, id));
      if (isLive(item)) return v.parse(exportDefinition, item);
    }
  },
  /**
   * Stores a new definition, and returns the one that is there then: of two tries for one cause, that of the first. Undefined
   * when somebody has taken the place of its id. Its job must be there already: a reader of the definition finds the job.
   */
  addDefinition: async (definition: ExportDefinition): Promise<ExportDefinition | undefined> => {
    const key = keys.exportDefinition(definition.property, definition.export);
    if ((await table.write({ kind: 'insert', key, set: { ...definition } })) === 'applied') return definition;
    // Ours by a try whose answer was lost, or the mark of somebody who took the place.
    const item = await table.get(key);
    return isLive(item) ? v.parse(exportDefinition, item) : undefined;
  },
  definition: async (property: number, id: number): Promise<Seen<ExportDefinition> | undefined> => {
    const item = await table.get(keys.exportDefinition(property, id));
    return isLive(item) ? seenDefinition(item) : undefined;
  },
  /** Changes a definition that is still as it was seen. */
  updateDefinition: (
    { value, w }: Seen<ExportDefinition>,
    set: Partial<ExportDefinition>,
  ): Promise<WriteOutcome> =>
    table.write({
      kind: 'update',
      key: keys.exportDefinition(value.property, value.export),
      set: { ...set },
      expect: { w },
    }),
  /** Marks a definition as deleted that is still as it was seen; `removeDefinition` takes away what is left. */
  markDeleted: ({ value, w }: Seen<ExportDefinition>): Promise<WriteOutcome> =>
    table.write(deleteWrite(keys.exportDefinition(value.property, value.export), w)),
  removeDefinition: async (property: number, id: number): Promise<void> => {
    await table.write(purgeWrite(keys.exportDefinition(property, id)));
  },
  /** Freezes the definition that a job works by: the first one to come. Returns that. It expires after its file. */
  freezeDefinition: async (
    definition: ExportDefinition,
    job: number,
    now: number,
  ): Promise<ExportDefinition> => {
    const key = keys.exportJobDefinition(definition.property, definition.export, job);
    const ttl = Math.ceil(now / 1000) + limits.exports.jobDefinitionDays * DAY_SECONDS;
    await table.write({ kind: 'insert', key, set: { ...definition, ttl } });
    return v.parse(exportDefinition, await table.get(key));
  },
  frozenDefinition: async ({ property, export: id, job }: JobRef): Promise<ExportDefinition | undefined> => {
    const item = await table.get(keys.exportJobDefinition(property, id, job));
    return item && v.parse(exportDefinition, item);
  },
  /**
   * Notes work to look after, before it is begun. Work that is noted already is touched, so that a repair which has not
   * seen the new work does not drop the note.
   */
  addOutboxTask: async (chore: OutboxTask): Promise<void> => {
    const key = choreKey(chore);
    const insert = { kind: 'insert', key, set: { ...chore } } as const;
    if ((await table.write(insert)) === 'applied') return;
    // Dropped in between: by then the repair is over, and the note is made anew.
    if ((await table.write({ kind: 'update', key, set: {}, expect: {} })) === 'refused')
      await table.write(insert);
  },
  /** Drops a chore that is done and still as it was seen. */
  removeOutboxTask: async ({ value, w }: Seen<OutboxTask>): Promise<void> => {
    await table.write({ kind: 'delete', key: choreKey(value), expect: { w } });
  },
  /** All chores of one of the `OUTBOX_PARTITIONS`. */
  outboxTasks: async (partition: number): Promise<readonly Seen<OutboxTask>[]> =>
    (await allItems(table, keys.exportOutbox(partition))).flatMap((item) => seenChore(item) ?? []),
  definitions: async (property: number, page: Page): Promise<Listed<ExportDefinition>> => {
    const { pk } = keys.exportDefinition(property, 0);
    const { items, ...rest } = await table.query(pk, page);
    return listed({ items: items.filter(isLive), ...rest }, exportDefinition);
  },
  insertJob: (job: ExportJob): Promise<WriteOutcome> =>
    table.write({ kind: 'insert', key: jobKey(job), set: { ...job } }),
  job: async (ref: JobRef): Promise<Seen<ExportJob> | undefined> => seenJob(await table.get(jobKey(ref))),
  /** Jobs of many exports at once, in their order. */
  jobsOf: async (refs: readonly JobRef[]): Promise<readonly (ExportJob | undefined)[]> =>
    (await table.getMany(refs.map(jobKey))).map((item) => seenJob(item)?.value),
  /** Jobs of an export, in order of creation. */
  jobs: async (property: number, id: number, page: Page): Promise<Listed<ExportJob>> => {
    const { pk } = keys.exportJob(property, id, 0);
    return listed(await table.query(pk, { ...page, prefix: 'JOB#' }), exportJob);
  },
  /** Changes a job that is still as it was seen. */
  updateJob: (ref: JobRef, w: string, set: Partial<ExportJob>): Promise<WriteOutcome> =>
    table.write({ kind: 'update', key: jobKey(ref), set: { ...set }, expect: { w } }),
  insertDelivery: (ref: JobRef, delivery: ExportDelivery): Promise<WriteOutcome> =>
    table.write({ kind: 'insert', key: deliveryKey(ref, delivery.kind), set: { ...delivery } }),
  delivery: async (ref: JobRef, kind: DeliveryKind): Promise<Seen<ExportDelivery> | undefined> =>
    seenDelivery(await table.get(deliveryKey(ref, kind))),
  /** Deliveries of jobs: for each job those that it has, in the order in which they begin. */
  deliveries: async (refs: readonly JobRef[]): Promise<readonly (readonly ExportDelivery[])[]> => {
    const items = await table.getMany(
      refs.flatMap((ref) => deliveryKinds.map((kind) => deliveryKey(ref, kind))),
    );
    return refs.map((_, index) =>
      items
        .slice(index * deliveryKinds.length, (index + 1) * deliveryKinds.length)
        .flatMap((item) => seenDelivery(item)?.value ?? []),
    );
  },
  /** Changes a delivery that is still in the state that `expect` describes. */
  updateDelivery: (ref: JobRef, set: ExportDelivery, expect: Attributes): Promise<WriteOutcome> =>
    table.write({ kind: 'update', key: deliveryKey(ref, set.kind), set: { ...set }, expect }),
  /** The key that a definition's SFTP server must have, once it was seen or named. */
  hostKey: async (definition: ExportDefinition, host: string): Promise<HostKey | undefined> => {
    const item = await table.get(hostKeyKey(definition, host));
    return item && v.parse(hostKeyItem, item);
  },
  /**
   * Names the key that a server must have, whatever it had. The write names the state that was read, so a try of the SDK
   * that arrives late cannot undo a later request. `refused` when somebody else has written in between.
   */
  replaceHostKey: async (
    definition: ExportDefinition,
    host: string,
    named: HostKey,
  ): Promise<WriteOutcome> => {
    const key = hostKeyKey(definition, host);
    const before = await table.get(key);
    return table.write(
      before
        ? { kind: 'update', key, set: { ...named }, expect: { w: before.w } }
        : { kind: 'insert', key, set: { ...named } },
    );
  },
  /**
   * Keeps the key that a server shows, seen for the first time; another that is there already stays, and one that was
   * only named gets its type. Returns the one kept.
   */
  pinHostKey: async (
    definition: ExportDefinition,
    host: string,
    { fingerprint, type, pinned }: Omit<HostKey, 'pinned_by'>,
  ): Promise<HostKey> => {
    const key = hostKeyKey(definition, host);
    const seenFirst: HostKey = { fingerprint, type, pinned, pinned_by: 'first_use' };
    if ((await table.write({ kind: 'insert', key, set: { ...seenFirst } })) === 'refused')
      await table.write({ kind: 'update', key, set: { type }, expect: { fingerprint } });
    return v.parse(hostKeyItem, await table.get(key));
  },
  /** Forgets the servers of a definition that is gone. */
  removeHostKeys: async (property: number, id: number): Promise<void> => {
    const { pk } = keys.exportJob(property, id, 0);
    for (const { sk, w } of (await table.query(pk, { prefix: keys.exportHostKeys })).items)
      await table.write({ kind: 'delete', key: { pk, sk }, expect: { w } });
  },
  /** Names the attempt whose object is a shard's part: the first one to come. It expires with the objects. */
  insertPart: (ref: JobRef, part: ExportPart, now: number): Promise<WriteOutcome> =>
    table.write({
      kind: 'insert',
      key: keys.exportPart(ref.property, ref.export, ref.job, part.shard),
      set: { ...part, ttl: Math.floor(now / 1000) + limits.exports.retentionDays * DAY_SECONDS },
    }),
  part: async (ref: JobRef, shard: number): Promise<ExportPart | undefined> => {
    const item = await table.get(keys.exportPart(ref.property, ref.export, ref.job, shard));
    return item && v.parse(exportPart, item);
  },
  /** Lets a capability open a job's file until `expires`. Inserting it again changes nothing. */
  insertDownload: async (ref: JobRef, capability: string, expires: number): Promise<void> => {
    const { property, export: id, job } = ref;
    const ttl = Math.ceil(expires / 1000);
    const set = { property, export: id, job, expires, ttl };
    await table.write({ kind: 'insert', key: downloadKey(capability), set });
  },
  /** All finished parts of a job, by shard. */
  parts: async (ref: JobRef): Promise<readonly ExportPart[]> => {
    const { pk } = keys.exportPart(ref.property, ref.export, ref.job, 0);
    return (await table.query(pk)).items.map((item) => v.parse(exportPart, item));
  },
});
export type ExportRepository = ReturnType<typeof exportRepository>;

const listed = <T>(
  page: { readonly items: readonly StoredItem[]; readonly next?: string },
  schema: v.GenericSchema<unknown, T>,
): Listed<T> => {
  const items = page.items.map((item) => v.parse(schema, item));
  return page.next === undefined ? { items } : { items, next: page.next };
};
