/**
 * Repository of exports: keeps definitions with the keys of their SFTP servers, and jobs with their frozen definitions,
 * parts, download capabilities, deliveries, unfinished uploads and the paths of their files. The tasks that look after jobs
 * and schedules (`reconcileExports`) are here, too.
 */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { newestClaim } from '../../deliveries/newest-claim.ts';
import type { Page } from '../../http/listing.ts';
import { deleteWrite, isLive, purgeWrite } from '../../references/lifecycle.ts';
import { DAY_MS, ttlAt } from '../../runtime/clock.ts';
import { sha256 } from '../../runtime/hash.ts';
import type { Listed } from '../../runtime/pages.ts';
import { allocateIdOnce, type RequestIdentity } from '../../table/idempotent-ids.ts';
import { keys } from '../../table/keys.ts';
import { counterIn } from '../../table/read-counter.ts';
import { scopedId } from '../../table/scoped-ids.ts';
import type { Attributes, Table, Write, WriteOutcome } from '../../table/table.ts';
import { versioned, type Versioned } from '../../table/versioned.ts';
import type { NewTask } from '../../tasks/tasks.ts';
import {
  deliveryKinds,
  exportDefinition,
  exportAttempts,
  exportDelivery,
  exportJob,
  exportPart,
  exportUpload,
  hostKeyItem,
  type DeliveryKind,
  type ExportDefinition,
  type ExportDelivery,
  type ExportJob,
  type ExportPart,
  type ExportUpload,
  type HostKey,
  type JobRef,
  type Taken,
} from './items.ts';
import { downloadKey } from './location.ts';

const parseDefinition = versioned(exportDefinition);
const parseJob = versioned(exportJob);
const parseDelivery = versioned(exportDelivery);
const parseAttempts = versioned(exportAttempts);

const definitionKey = ({ property, export: id }: ExportDefinition) => keys.exportDefinition(property, id);
const jobKey = ({ property, export: id, job }: JobRef) => keys.exportJob(property, id, job);
const partKey = ({ property, export: id, job }: JobRef, shard: number) =>
  keys.exportPart(property, id, job, shard);
const deliveryKey = ({ property, export: id, job }: JobRef, kind: DeliveryKind) =>
  keys.exportDelivery(property, id, job, kind);
const uploadKey = ({ property, export: id, job }: JobRef) => keys.exportUpload(property, id, job);

/** The write that stores a new definition. */
export const insertDefinition = (definition: ExportDefinition): Write => ({
  kind: 'insert',
  key: definitionKey(definition),
  set: { ...definition },
});

/** The write that changes a definition; refused when another writer changed it since it was read. */
export const updateDefinition = (
  { value, w }: Versioned<ExportDefinition>,
  set: Partial<ExportDefinition>,
): Write => ({ kind: 'update', key: definitionKey(value), set: { ...set }, expect: { w } });

/** The soft delete of a definition; refused when another writer changed it since it was read. */
export const markDefinition = ({ value, w }: Versioned<ExportDefinition>): Write =>
  deleteWrite(definitionKey(value), w);

/** The write that stores a new job. */
export const insertJob = (job: ExportJob): Write => ({ kind: 'insert', key: jobKey(job), set: { ...job } });

/** The write that freezes the definition that a job works by. The item expires after the file of the job. */
export const freezeWrite = (definition: ExportDefinition, job: number, now: number): Write => ({
  kind: 'insert',
  key: keys.exportJobDefinition(definition.property, definition.export, job),
  set: { ...definition, ttl: ttlAt(now + limits.exports.jobDefinitionDays * DAY_MS) },
});

/** What a receiver of changes has taken at first: of a new job, and of a replay. */
const nothingTaken: Taken = { part: 0, offset: 0, sent: 0 };
const atFirst = (kind: DeliveryKind): Partial<Taken> => (kind === 'changes' ? nothingTaken : {});

/** The write that stores a new delivery of a job. */
export const insertDelivery = (ref: JobRef, delivery: ExportDelivery): Write => ({
  kind: 'insert',
  key: deliveryKey(ref, delivery.kind),
  set: { ...delivery, ...atFirst(delivery.kind) },
});

/** The write that begins a replay of a delivery; refused when another writer changed it since version `w` was read. */
export const replayWrite = (ref: JobRef, replay: ExportDelivery, expect: Attributes): Write => ({
  kind: 'update',
  key: deliveryKey(ref, replay.kind),
  set: { ...replay, ...atFirst(replay.kind) },
  expect,
});

/** Looks after a job until it has ended, its deliveries are started, and its leftovers are removed. */
export const jobTask = ({ property, export: id, job }: JobRef, now: number): NewTask => ({
  kind: 'export-job',
  property,
  ids: [id, job],
  due: now + limits.exports.taskSeconds * 1_000,
});

/**
 * Looks after the schedules of a revision until they match the definition, at once, and after its last run since a time
 * (epoch ms).
 */
export const scheduleTask = (
  { property, export: id, revision }: Pick<ExportDefinition, 'property' | 'export' | 'revision'>,
  since: number,
): NewTask => ({
  kind: 'export-schedule',
  property,
  ids: [id, revision],
  due: since,
  state: { since },
});

const newId = async (table: Table, property: number, name: 'export' | 'export-job'): Promise<number> =>
  scopedId(property, await table.increment(keys.counter(property, name), 1));

const definitions = (table: Table) => ({
  /**
   * The time to which the table was restored last (epoch milliseconds), as the counters of the property note it; 0 if it
   * never was.
   */
  restored: async (property: number): Promise<number> => {
    const { raised } = counterIn(await table.get(keys.counter(property, 'export-job')));
    return raised === null ? 0 : Date.parse(raised);
  },
  /** An id for a new export or job. */
  newId: (property: number, name: 'export' | 'export-job') => newId(table, property, name),
  /** The id of the job that a request for a run makes: the same for each repetition of the request. */
  jobIdOf: (requestIdentity: RequestIdentity): Promise<number> =>
    // Release 0.2.0 has the name with the number.
    allocateIdOnce(table, requestIdentity, 'export-job#0', () =>
      newId(table, requestIdentity.property, 'export-job'),
    ),
  /** `undefined` for a definition that does not exist or was deleted. */
  definition: async (property: number, id: number): Promise<Versioned<ExportDefinition> | undefined> => {
    const item = await table.get(keys.exportDefinition(property, id));
    return isLive(item) ? parseDefinition(item) : undefined;
  },
  definitions: async (property: number, page: Page): Promise<Listed<ExportDefinition>> => {
    const { items, ...rest } = await table.query(keys.exportDefinition(property, 0).pk, page);
    return { ...rest, items: items.filter(isLive).map((item) => v.parse(exportDefinition, item)) };
  },
  /** Changes a definition; refused when another writer changed it since it was read. */
  updateDefinition: (seen: Versioned<ExportDefinition>, set: Partial<ExportDefinition>) =>
    table.write(updateDefinition(seen, set)),
  /** Purges the item of a definition that is marked as deleted. */
  removeDefinition: async (property: number, id: number): Promise<void> => {
    await table.write(purgeWrite(keys.exportDefinition(property, id)));
  },
});

const jobs = (table: Table) => ({
  insertJob: (job: ExportJob) => table.write(insertJob(job)),
  job: async (ref: JobRef): Promise<Versioned<ExportJob> | undefined> =>
    parseJob(await table.get(jobKey(ref))),
  /** Jobs of many exports at once, in the order of the references. */
  jobsOf: async (refs: readonly JobRef[]): Promise<readonly (ExportJob | undefined)[]> =>
    (await table.getMany(refs.map(jobKey))).map((item) => parseJob(item)?.value),
  /** Jobs of an export, in order of creation. */
  jobs: async (property: number, id: number, page: Page): Promise<Listed<ExportJob>> => {
    const { pk } = keys.exportJob(property, id, 0);
    const read = await table.query(pk, { ...page, prefix: 'JOB#' });
    return { ...read, items: read.items.map((item) => v.parse(exportJob, item)) };
  },
  /** Changes a job; refused when another writer changed it since version `w` was read. */
  updateJob: (ref: JobRef, w: string, set: Partial<ExportJob>): Promise<WriteOutcome> =>
    table.write({ kind: 'update', key: jobKey(ref), set: { ...set }, expect: { w } }),
  /**
   * Freezes the definition that a job works by, and returns the frozen definition: the first caller decides. The item
   * expires after the file of the job.
   */
  freezeDefinition: async (
    definition: ExportDefinition,
    job: number,
    now: number,
  ): Promise<ExportDefinition> => {
    const write = freezeWrite(definition, job, now);
    await table.write(write);
    return v.parse(exportDefinition, await table.get(write.key));
  },
  frozenDefinition: async ({ property, export: id, job }: JobRef): Promise<ExportDefinition | undefined> => {
    const item = await table.get(keys.exportJobDefinition(property, id, job));
    return item && v.parse(exportDefinition, item);
  },
  /**
   * Names the attempt whose object is the part of a shard: the first caller decides. The item expires with the objects.
   */
  insertPart: (ref: JobRef, part: ExportPart, now: number): Promise<WriteOutcome> => {
    const ttl = ttlAt(now + limits.exports.retentionDays * DAY_MS);
    return table.write({ kind: 'insert', key: partKey(ref, part.shard), set: { ...part, ttl } });
  },
  part: async (ref: JobRef, shard: number): Promise<ExportPart | undefined> => {
    const item = await table.get(partKey(ref, shard));
    return item && v.parse(exportPart, item);
  },
  /** All finished parts of a job, by shard. */
  parts: async (ref: JobRef): Promise<readonly ExportPart[]> =>
    (await table.query(partKey(ref, 0).pk)).items.map((item) => v.parse(exportPart, item)),
  /** Lets a capability open the file of a job until `expires`. A second insert changes nothing. */
  insertDownload: async (
    { property, export: id, job }: JobRef,
    capability: string,
    expires: number,
  ): Promise<void> => {
    const set = { property, export: id, job, expires, ttl: ttlAt(expires) };
    await table.write({ kind: 'insert', key: downloadKey(capability), set });
  },
});

const deliveries = (table: Table) => ({
  insertDelivery: (ref: JobRef, delivery: ExportDelivery) => table.write(insertDelivery(ref, delivery)),
  delivery: async (ref: JobRef, kind: DeliveryKind): Promise<Versioned<ExportDelivery> | undefined> =>
    parseDelivery(await table.get(deliveryKey(ref, kind))),
  /** The attempts of a delivery alone, for the writes of attempts: what was taken has a write of its own. */
  attempts: async (ref: JobRef, kind: DeliveryKind) => parseAttempts(await table.get(deliveryKey(ref, kind))),
  /**
   * Notes what a receiver of changes has taken. It only grows: refused unless `before` is stored, and once a later attempt
   * than the attempt `begun` has begun.
   */
  noteTaken: (
    ref: JobRef,
    begun: number,
    { before, after }: { readonly before: Taken; readonly after: Taken },
  ): Promise<WriteOutcome> => {
    const expect = { ...before, state: 'sending', begun };
    return table.write({ kind: 'update', key: deliveryKey(ref, 'changes'), set: { ...after }, expect });
  },
  /** The deliveries of each job, in the order in which they begin. */
  deliveries: async (refs: readonly JobRef[]): Promise<readonly (readonly ExportDelivery[])[]> => {
    const each = deliveryKinds.length;
    const items = await table.getMany(
      refs.flatMap((ref) => deliveryKinds.map((kind) => deliveryKey(ref, kind))),
    );
    return refs.map((_, index) =>
      items.slice(index * each, (index + 1) * each).flatMap((item) => parseDelivery(item)?.value ?? []),
    );
  },
  /** Changes a delivery; refused unless it has the attributes `expect`. */
  updateDelivery: (ref: JobRef, set: ExportDelivery, expect: Attributes): Promise<WriteOutcome> =>
    table.write({ kind: 'update', key: deliveryKey(ref, set.kind), set: { ...set }, expect }),
  /** The number of the replay that a request makes: `next`, unless an earlier try of the request has a number already. */
  replayOf: (requestIdentity: RequestIdentity, next: number): Promise<number> =>
    allocateIdOnce(table, requestIdentity, 'replay', () => Promise.resolve(next)),
});

/** The definition that pushes to a server. */
type Pusher = Pick<ExportDefinition, 'property' | 'export'>;

/** The key has a hash of the host, because the host is the client's own text. */
const hostKeyKey = ({ property, export: id }: Pusher, host: string) =>
  keys.exportHostKey(property, id, sha256(host));

/** The write that stores the key that the server of a new definition must have. */
export const insertHostKey = (definition: Pusher, host: string, hostKey: HostKey): Write => ({
  kind: 'insert',
  key: hostKeyKey(definition, host),
  set: { ...hostKey },
});

/** Pinned keys of SFTP servers. */
const hostKeys = (table: Table) => ({
  /** The key that a server must have; `undefined` until the first connection, or until a client names a key. */
  hostKey: async (definition: Pusher, host: string): Promise<HostKey | undefined> => {
    const item = await table.get(hostKeyKey(definition, host));
    return item && v.parse(hostKeyItem, item);
  },
  /**
   * Replaces the key that a server must have. The write names the version that was read, so a late retry of the SDK
   * cannot undo a later request. `refused` when another writer came in between.
   */
  replaceHostKey: async (definition: Pusher, host: string, named: HostKey): Promise<WriteOutcome> => {
    const key = hostKeyKey(definition, host);
    const before = await table.get(key);
    return table.write(
      before
        ? { kind: 'update', key, set: { ...named }, expect: { w: before.w } }
        : { kind: 'insert', key, set: { ...named } },
    );
  },
  /**
   * Trust on first use: pins the key that a server shows if no key is pinned yet, and adds the type to a pinned
   * fingerprint that a client named. Returns the pinned key.
   */
  pinHostKey: async (
    definition: Pusher,
    host: string,
    { fingerprint, type, pinned }: Omit<HostKey, 'pinned_by'>,
  ): Promise<HostKey> => {
    const key = hostKeyKey(definition, host);
    const set: HostKey = { fingerprint, type, pinned, pinned_by: 'first_use' };
    if ((await table.write({ kind: 'insert', key, set: { ...set } })) === 'refused')
      await table.write({ kind: 'update', key, set: { type }, expect: { fingerprint } });
    return v.parse(hostKeyItem, await table.get(key));
  },
  /** Removes all keys of a deleted definition. */
  removeHostKeys: async (property: number, id: number): Promise<void> => {
    const { pk } = keys.exportJob(property, id, 0);
    for (const { sk, w } of (await table.query(pk, { prefix: keys.exportHostKeys })).items)
      await table.write({ kind: 'delete', key: { pk, sk }, expect: { w } });
  },
});

/** Unfinished uploads, at most one of each job. */
const uploads = (table: Table) => ({
  upload: async (ref: JobRef): Promise<ExportUpload | undefined> => {
    const item = await table.get(uploadKey(ref));
    return item && v.parse(exportUpload, item);
  },
  /** Remembers an upload that has just begun; refused while another upload is remembered. The item expires. */
  rememberUpload: (ref: JobRef, upload: ExportUpload, now: number): Promise<WriteOutcome> => {
    const ttl = ttlAt(now + limits.exports.objectUploadDays * DAY_MS);
    return table.write({ kind: 'insert', key: uploadKey(ref), set: { ...upload, ttl } });
  },
  /** Forgets an upload, unless another upload is remembered. */
  forgetUpload: async (ref: JobRef, { upload }: ExportUpload): Promise<void> => {
    await table.write({ kind: 'delete', key: uploadKey(ref), expect: { upload } });
  },
});

type Owner = Pick<ExportJob, 'property' | 'export' | 'run'>;

/** Paths that the runs of an export share. */
const paths = (table: Table) => {
  const claimOf = (job: Owner, path: string) =>
    newestClaim(table, keys.exportPath(job.property, job.export, sha256(path)));
  return {
    /** Whether a later run of the export has claimed the path. */
    isSuperseded: (job: Owner, path: string) => claimOf(job, path).isSuperseded(job.run),
    /**
     * Claims a path for a run, and returns whether a later run has claimed it. The claim expires after the last delivery
     * of every earlier run.
     */
    claimPath: (job: Owner, path: string, now: number) => {
      const ttl = ttlAt(now + limits.exports.jobDefinitionDays * DAY_MS);
      return claimOf(job, path).claim(job.run, { ttl });
    },
  };
};

/** Everything that exports keep in the table. */
export const exportRepository = (table: Table) => ({
  ...definitions(table),
  ...jobs(table),
  ...deliveries(table),
  ...hostKeys(table),
  ...uploads(table),
  ...paths(table),
});
export type ExportRepository = ReturnType<typeof exportRepository>;
