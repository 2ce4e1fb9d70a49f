/**
 * Job store: keeps export jobs in the table, with their frozen definitions, parts, download capabilities, deliveries,
 * unfinished uploads and the paths of their files.
 */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { newestClaim, type NewestClaim } from '../../deliveries/newest-claim.ts';
import type { Page } from '../../http/listing.ts';
import { DAY_MS, ttlAt } from '../../runtime/clock.ts';
import { sha256 } from '../../runtime/hash.ts';
import type { Listed } from '../../runtime/pages.ts';
import { allocateIdOnce, type RequestIdentity } from '../../table/idempotent-ids.ts';
import { keys } from '../../table/keys.ts';
import type { Attributes, Table, Write, WriteOutcome } from '../../table/table.ts';
import { versioned, type Versioned } from '../../table/versioned.ts';
import {
  deliveryKinds,
  exportDefinition,
  exportDelivery,
  exportJob,
  exportPart,
  exportUpload,
  type DeliveryKind,
  type ExportDefinition,
  type ExportDelivery,
  type ExportJob,
  type ExportPart,
  type JobRef,
  type ExportUpload,
} from './items.ts';
import { downloadKey } from './location.ts';

/** Jobs and the items that belong to one job. */
export interface JobStore {
  insertJob(job: ExportJob): Promise<WriteOutcome>;
  job(ref: JobRef): Promise<Versioned<ExportJob> | undefined>;
  /** Jobs of many exports at once, in the order of the references. */
  jobsOf(refs: readonly JobRef[]): Promise<readonly (ExportJob | undefined)[]>;
  /** Jobs of an export, in order of creation. */
  jobs(property: number, id: number, page: Page): Promise<Listed<ExportJob>>;
  /** Changes a job; refused when another writer changed it since version `w` was read. */
  updateJob(ref: JobRef, w: string, set: Partial<ExportJob>): Promise<WriteOutcome>;
  /**
   * Freezes the definition that a job works by, and returns the frozen definition: the first caller decides. The item
   * expires after the file of the job.
   */
  freezeDefinition(definition: ExportDefinition, job: number, now: number): Promise<ExportDefinition>;
  frozenDefinition(ref: JobRef): Promise<ExportDefinition | undefined>;
  /**
   * Names the attempt whose object is the part of a shard: the first caller decides. The item expires with the objects.
   */
  insertPart(ref: JobRef, part: ExportPart, now: number): Promise<WriteOutcome>;
  part(ref: JobRef, shard: number): Promise<ExportPart | undefined>;
  /** All finished parts of a job, by shard. */
  parts(ref: JobRef): Promise<readonly ExportPart[]>;
  /** Lets a capability open the file of a job until `expires`. A second insert changes nothing. */
  insertDownload(ref: JobRef, capability: string, expires: number): Promise<void>;
}

/** The deliveries of jobs. */
export interface DeliveryStore {
  insertDelivery(ref: JobRef, delivery: ExportDelivery): Promise<WriteOutcome>;
  delivery(ref: JobRef, kind: DeliveryKind): Promise<Versioned<ExportDelivery> | undefined>;
  /** The deliveries of each job, in the order in which they begin. */
  deliveries(refs: readonly JobRef[]): Promise<readonly (readonly ExportDelivery[])[]>;
  /** Changes a delivery; refused unless it has the attributes `expect`. */
  updateDelivery(ref: JobRef, set: ExportDelivery, expect: Attributes): Promise<WriteOutcome>;
  /** The number of the replay that a request makes: `next`, unless an earlier try of the request has a number already. */
  replayOf(requestIdentity: RequestIdentity, next: number): Promise<number>;
}

const parseJob = versioned(exportJob);
const parseDelivery = versioned(exportDelivery);

const jobKey = ({ property, export: id, job }: JobRef) => keys.exportJob(property, id, job);
const partKey = ({ property, export: id, job }: JobRef, shard: number) =>
  keys.exportPart(property, id, job, shard);
const deliveryKey = ({ property, export: id, job }: JobRef, kind: DeliveryKind) =>
  keys.exportDelivery(property, id, job, kind);

/** The write that stores a new job. */
export const insertJob = (job: ExportJob): Write => ({ kind: 'insert', key: jobKey(job), set: { ...job } });

/** The write that freezes the definition that a job works by. The item expires after the file of the job. */
export const freezeWrite = (definition: ExportDefinition, job: number, now: number): Write => ({
  kind: 'insert',
  key: keys.exportJobDefinition(definition.property, definition.export, job),
  set: { ...definition, ttl: ttlAt(now + limits.exports.jobDefinitionDays * DAY_MS) },
});

/** The write that stores a new delivery of a job. */
export const insertDelivery = (ref: JobRef, delivery: ExportDelivery): Write => ({
  kind: 'insert',
  key: deliveryKey(ref, delivery.kind),
  set: { ...delivery },
});

/** Jobs in the table. */
export const jobStore = (table: Table): JobStore => ({
  insertJob: (job) => table.write(insertJob(job)),
  job: async (ref) => parseJob(await table.get(jobKey(ref))),
  jobsOf: async (refs) => (await table.getMany(refs.map(jobKey))).map((item) => parseJob(item)?.value),
  jobs: async (property, id, page) => {
    const { pk } = keys.exportJob(property, id, 0);
    const read = await table.query(pk, { ...page, prefix: 'JOB#' });
    return { ...read, items: read.items.map((item) => v.parse(exportJob, item)) };
  },
  updateJob: (ref, w, set) =>
    table.write({ kind: 'update', key: jobKey(ref), set: { ...set }, expect: { w } }),
  freezeDefinition: async (definition, job, now) => {
    const write = freezeWrite(definition, job, now);
    await table.write(write);
    return v.parse(exportDefinition, await table.get(write.key));
  },
  frozenDefinition: async ({ property, export: id, job }) => {
    const item = await table.get(keys.exportJobDefinition(property, id, job));
    return item && v.parse(exportDefinition, item);
  },
  insertPart: (ref, part, now) => {
    const ttl = ttlAt(now + limits.exports.retentionDays * DAY_MS);
    return table.write({ kind: 'insert', key: partKey(ref, part.shard), set: { ...part, ttl } });
  },
  part: async (ref, shard) => {
    const item = await table.get(partKey(ref, shard));
    return item && v.parse(exportPart, item);
  },
  parts: async (ref) =>
    (await table.query(partKey(ref, 0).pk)).items.map((item) => v.parse(exportPart, item)),
  insertDownload: async ({ property, export: id, job }, capability, expires) => {
    const set = { property, export: id, job, expires, ttl: ttlAt(expires) };
    await table.write({ kind: 'insert', key: downloadKey(capability), set });
  },
});

/** Deliveries in the table. */
export const deliveryStore = (table: Table): DeliveryStore => ({
  insertDelivery: (ref, delivery) => table.write(insertDelivery(ref, delivery)),
  delivery: async (ref, kind) => parseDelivery(await table.get(deliveryKey(ref, kind))),
  deliveries: async (refs) => {
    const each = deliveryKinds.length;
    const items = await table.getMany(
      refs.flatMap((ref) => deliveryKinds.map((kind) => deliveryKey(ref, kind))),
    );
    return refs.map((_, index) =>
      items.slice(index * each, (index + 1) * each).flatMap((item) => parseDelivery(item)?.value ?? []),
    );
  },
  updateDelivery: (ref, set, expect) =>
    table.write({ kind: 'update', key: deliveryKey(ref, set.kind), set: { ...set }, expect }),
  replayOf: (requestIdentity, next) =>
    allocateIdOnce(table, requestIdentity, 'replay', () => Promise.resolve(next)),
});

/** Unfinished uploads, at most one of each job. */
export interface UploadStore {
  upload(ref: JobRef): Promise<ExportUpload | undefined>;
  /** Remembers an upload that has just begun; refused while another upload is remembered. The item expires. */
  rememberUpload(ref: JobRef, upload: ExportUpload, now: number): Promise<WriteOutcome>;
  /** Forgets an upload, unless another upload is remembered. */
  forgetUpload(ref: JobRef, upload: ExportUpload): Promise<void>;
}

const uploadKey = ({ property, export: id, job }: JobRef) => keys.exportUpload(property, id, job);

/** Uploads in the table. */
export const uploadStore = (table: Table): UploadStore => ({
  upload: async (ref) => {
    const item = await table.get(uploadKey(ref));
    return item && v.parse(exportUpload, item);
  },
  rememberUpload: (ref, upload, now) => {
    const ttl = ttlAt(now + limits.exports.objectUploadDays * DAY_MS);
    return table.write({ kind: 'insert', key: uploadKey(ref), set: { ...upload, ttl } });
  },
  forgetUpload: async (ref, { upload }) => {
    await table.write({ kind: 'delete', key: uploadKey(ref), expect: { upload } });
  },
});

type Owner = Pick<ExportJob, 'property' | 'export' | 'run'>;

/** Paths that the runs of an export share. */
export interface PathStore {
  /** Whether a later run of the export has claimed the path. */
  isSuperseded(job: Owner, path: string): Promise<boolean>;
  /**
   * Claims a path for a run, and returns whether a later run has claimed it. The claim expires after the last delivery of
   * every earlier run.
   */
  claimPath(job: Owner, path: string, now: number): Promise<'claimed' | 'superseded'>;
}

/** Paths in the table. */
export const pathStore = (table: Table): PathStore => {
  const claimOf = (job: Owner, path: string): NewestClaim =>
    newestClaim(table, keys.exportPath(job.property, job.export, sha256(path)));
  return {
    isSuperseded: (job, path) => claimOf(job, path).isSuperseded(job.run),
    claimPath: (job, path, now) => {
      const ttl = ttlAt(now + limits.exports.jobDefinitionDays * DAY_MS);
      return claimOf(job, path).claim(job.run, { ttl });
    },
  };
};
