import * as v from 'valibot';
import { scheduleShape } from '../../schedules/schedule.ts';
import { readBackWays } from '../../sftp/read-back.ts';

const id = v.pipe(v.number(), v.safeInteger());
const nullableText = v.nullable(v.string());
const bytes = v.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** Names a job of an export. */
export interface JobRef {
  readonly property: number;
  readonly export: number;
  readonly job: number;
}

/** One column of a custom format: the attribute and the column's name in the file. */
const customColumn = v.object({ umbel_field_name: v.string(), destination_field_name: v.string() });

const nullableId = v.nullable(id);

/** The jobs of a definition: at most one runs at a time, and at most one waits for it. */
const runQueueItem = v.object({
  /** The newest one. */
  latest_job: nullableId,
  /** The one that may run, until the next one takes its place. */
  current_job: nullableId,
  waiting_job: nullableId,
  /** The last one that is known to have completed. */
  complete_job: nullableId,
});
export type RunQueue = v.InferOutput<typeof runQueueItem>;

/** Where files are pushed to by SFTP. */
const destinationItem = v.object({
  /** `host` or `host:port`, as it was sent. */
  domain: v.string(),
  client_id: v.string(),
  /** Our public key, a line of `authorized_keys`. */
  public_key: v.string(),
  /** What the key pair is made from, encrypted with KMS; `sshKeyContext` names what it is bound to. */
  seed: bytes,
});
export type Destination = v.InferOutput<typeof destinationItem>;

/** An export definition as stored. */
export const exportDefinition = v.object({
  /** Owner of the property: the audit log of this account says who opened the files. */
  account: id,
  property: id,
  export: id,
  /** Epoch milliseconds. */
  created: v.number(),
  /** 1, and one more each time it is replaced. */
  revision: v.number(),
  /** Named, and of the types that were named. */
  segment: v.array(id),
  /** Read when a job is planned. */
  collection: v.optional(v.array(id), []),
  tile_types: v.array(v.string()),
  field_set: v.picklist(['all', 'email', 'custom']),
  data_format: v.picklist(['csv', 'txt']),
  scope: v.picklist(['full', 'delta']),
  custom_result_format: v.nullable(v.array(customColumn)),
  start_date: nullableText,
  end_date: nullableText,
  formula_guard: v.boolean(),
  /** ASCII-armoured, as it was sent. */
  pgp_public_key: v.optional(nullableText, null),
  notification_email: v.optional(nullableText, null),
  destination: v.optional(v.nullable(destinationItem), null),
  webhook_url: nullableText,
  /** Encrypted with KMS; `secretContext` names what it is bound to. */
  webhook_secret: v.nullable(bytes),
  schedule: v.nullable(scheduleShape),
  /** When a schedule that runs once does, in epoch milliseconds. */
  run_at: v.nullable(v.number()),
  /** Whether the schedule has runs to come. */
  to_come: v.boolean(),
  ...runQueueItem.entries,
});
export type ExportDefinition = v.InferOutput<typeof exportDefinition>;

/** The members of a job, frozen, and how they are cut. */
const exportPlan = v.object({
  /** Object of the exports bucket that holds the set. */
  members_key: v.string(),
  members: v.number(),
  /** What a delta is counted from: the members and the watermark of another job; null when all is told. */
  base: v.nullable(v.object({ job: id, members_key: v.string(), watermark: v.number() })),
  /** Members, and those of the base: whom the shards are cut from. */
  candidates: v.number(),
  shards: v.number(),
  /** Object of the work bucket with the sizes of the segments. */
  sizes_key: v.string(),
  /** Key of the sealed parts, wrapped by KMS; `partsContext` names what it is bound to. */
  data_key: bytes,
  /** Epoch milliseconds before the first read: what was stored later may be missing. */
  watermark: v.number(),
  /** Of the definition: a delta is counted from a job of the same one. */
  revision: v.optional(v.number(), 0),
});
export type ExportPlan = v.InferOutput<typeof exportPlan>;

/** The finished file of a job. */
const exportFile = v.object({
  /** Object of the exports bucket. */
  key: v.string(),
  etag: v.string(),
  name: v.string(),
  rows: v.number(),
  bytes: v.number(),
  sha256: v.string(),
  /** Whether it was encrypted with OpenPGP. */
  encrypted: v.optional(v.boolean(), false),
  /** Object of the exports bucket that describes the file. */
  manifest_key: v.string(),
  /** Epoch milliseconds after which the location no longer opens. */
  expires: v.number(),
});
export type ExportFile = v.InferOutput<typeof exportFile>;

/** Who decided which key a server must have. */
export const pinnedBy = ['first_use', 'request'] as const;

/** States of a job. */
export const jobStatuses = ['pending', 'running', 'complete', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof jobStatuses)[number];
/** What an export shows as its status: the status of its latest job, or `scheduled` before the first. */
export const exportStatuses = [...jobStatuses, 'scheduled'] as const;
export type ExportStatus = (typeof exportStatuses)[number];

/** What a job may become in each state. One without a way out is final. */
export const jobTransitions: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  pending: ['running', 'failed', 'cancelled'],
  running: ['complete', 'failed', 'cancelled'],
  complete: [],
  failed: [],
  cancelled: [],
};

/** An export job as stored. Times are epoch milliseconds. */
export const exportJob = v.object({
  property: id,
  export: id,
  job: id,
  status: v.picklist(jobStatuses),
  created: v.number(),
  started: v.nullable(v.number()),
  finished: v.nullable(v.number()),
  plan: v.nullable(exportPlan),
  /** Members without a row. */
  skipped: v.nullable(v.number()),
  file: v.nullable(exportFile),
  error: v.nullable(v.object({ code: v.string(), detail: v.string() })),
});
export type ExportJob = v.InferOutput<typeof exportJob>;

/** A finished part: which attempt's object counts. */
export const exportPart = v.object({
  shard: v.number(),
  /** Object of the work bucket. */
  key: v.string(),
  etag: v.string(),
  rows: v.number(),
  skipped: v.number(),
  /** Object with the keys of `extra_data` that occur, when there are any. */
  keys_key: nullableText,
});
export type ExportPart = v.InferOutput<typeof exportPart>;

/** Ways of delivering, in the order in which they begin. */
export const deliveryKinds = ['sftp', 'webhook', 'email'] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

/** What became of an attempt: `paused` when there was more to send, `broken_off` when nobody came to say what became of it. */
export const attemptOutcomes = ['sending', 'delivered', 'failed', 'paused', 'broken_off'] as const;

/** An attempt at a delivery. Nothing of what was sent, and none of the other side's words. Times are epoch milliseconds. */
const deliveryAttempt = v.object({
  /** From 1, through all replays. */
  number: v.number(),
  /** 0 before the first replay. */
  replay: v.number(),
  started: v.number(),
  /** `null` while it is under way, and when it broke off. */
  ended: v.nullable(v.number()),
  outcome: v.picklist(attemptOutcomes),
  /** What a webhook answered, if it did. */
  http_status: v.nullable(v.number()),
  /** How a push took what an earlier one had left; `null` when there was nothing to go on with. */
  read_back: v.nullable(v.picklist(readBackWays)),
  error: nullableText,
});
export type DeliveryAttempt = v.InferOutput<typeof deliveryAttempt>;

/**
 * States of a delivery: `waiting` for its first attempt, `sending` while one is under way, `retrying` after a failed one;
 * `delivered` and `given_up` are final until it is asked for again.
 */
export const deliveryStates = ['waiting', 'sending', 'retrying', 'delivered', 'given_up'] as const;

/** How a delivery stands. Times are epoch milliseconds. */
export const exportDelivery = v.object({
  kind: v.optional(v.picklist(deliveryKinds), 'webhook'),
  state: v.picklist(deliveryStates),
  /** How often it was asked for again. */
  replays: v.number(),
  /** Attempts ever begun, through all replays: it names the newest attempt, and is never taken back. */
  begun: v.number(),
  /** Attempts since it was last asked for; an attempt that paused is not counted. */
  attempts: v.number(),
  first_attempt: v.nullable(v.number()),
  last_attempt: v.nullable(v.number()),
  last_error: nullableText,
  /** While `sending`, the time after which the attempt counts as broken off. */
  next_attempt: v.nullable(v.number()),
  delivered: v.nullable(v.number()),
  /** The newest attempts, oldest first. */
  log: v.optional(v.array(deliveryAttempt), []),
});
export type ExportDelivery = v.InferOutput<typeof exportDelivery>;

/** Whether a job is still to end. */
export const isOpen = ({ status }: Pick<ExportJob, 'status'>): boolean => jobTransitions[status].length > 0;

/** Work to look after: a job until it has ended, or the schedules of a revision until they are as they should be. */
export const outboxTaskItem = v.object({
  property: id,
  export: id,
  /** Epoch milliseconds. */
  created: v.number(),
  job: nullableId,
  revision: nullableId,
});
export type OutboxTask = v.InferOutput<typeof outboxTaskItem>;

/** What a download capability opens. */
export const downloadItem = v.object({ property: id, export: id, job: id, expires: v.number() });

/** What KMS binds a webhook secret to. */
export const secretContext = (property: number, exportId: number): Readonly<Record<string, string>> => ({
  purpose: 'webhook-secret',
  property: String(property),
  export: String(exportId),
});

/** What KMS binds the key pair of a definition to. */
export const sshKeyContext = (property: number, exportId: number): Readonly<Record<string, string>> => ({
  purpose: 'ssh-key',
  property: String(property),
  export: String(exportId),
});

/** How the SFTP server of a definition is known: by the key seen first, or by the one that the client named since. */
export const hostKeyItem = v.object({
  fingerprint: v.string(),
  type: nullableText,
  /** Epoch milliseconds. */
  pinned: v.number(),
  pinned_by: v.picklist(pinnedBy),
});
export type HostKey = v.InferOutput<typeof hostKeyItem>;

/** What KMS binds the key of a job's parts to. */
export const partsContext = ({ property, job }: JobRef): Readonly<Record<string, string>> => ({
  purpose: 'export-parts',
  property: String(property),
  job: String(job),
});
