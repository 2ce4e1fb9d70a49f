import * as v from 'valibot';

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

/** An export definition as stored. */
export const exportDefinition = v.object({
  property: id,
  export: id,
  /** Epoch milliseconds. */
  created: v.number(),
  segment: v.array(id),
  /** Read when a job is planned. */
  collection: v.optional(v.array(id), []),
  field_set: v.picklist(['all', 'email', 'custom']),
  data_format: v.picklist(['csv', 'txt']),
  scope: v.literal('full'),
  custom_result_format: v.nullable(v.array(customColumn)),
  start_date: nullableText,
  end_date: nullableText,
  formula_guard: v.boolean(),
  webhook_url: nullableText,
  /** Encrypted with KMS; `secretContext` names what it is bound to. */
  webhook_secret: v.nullable(bytes),
  /** Id of the newest job. */
  latest_job: id,
});
export type ExportDefinition = v.InferOutput<typeof exportDefinition>;

/** The members of a job, frozen, and how they are cut. */
const exportPlan = v.object({
  /** Object of the work bucket that holds the set. */
  members_key: v.string(),
  members: v.number(),
  shards: v.number(),
  /** Key of the sealed parts, wrapped by KMS; `partsContext` names what it is bound to. */
  data_key: bytes,
  /** Epoch milliseconds before the first read: what was stored later may be missing. */
  watermark: v.number(),
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
  /** Epoch milliseconds after which the location no longer opens. */
  expires: v.number(),
});
export type ExportFile = v.InferOutput<typeof exportFile>;

/** States of a job; `complete`, `failed` and `cancelled` are final. */
export const jobStatuses = ['pending', 'running', 'complete', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof jobStatuses)[number];

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

/** How telling a webhook stands. Times are epoch milliseconds. */
export const exportDelivery = v.object({
  state: v.picklist(['waiting', 'retrying', 'delivered', 'given_up']),
  attempts: v.number(),
  first_attempt: v.nullable(v.number()),
  last_attempt: v.nullable(v.number()),
  last_error: nullableText,
  next_attempt: v.nullable(v.number()),
  delivered: v.nullable(v.number()),
});
export type ExportDelivery = v.InferOutput<typeof exportDelivery>;

/** What a download capability opens. */
export const downloadItem = v.object({ property: id, export: id, job: id, expires: v.number() });

/** What KMS binds a webhook secret to. */
export const secretContext = (property: number, exportId: number): Readonly<Record<string, string>> => ({
  purpose: 'webhook-secret',
  property: String(property),
  export: String(exportId),
});

/** What KMS binds the key of a job's parts to. */
export const partsContext = ({ property, job }: JobRef): Readonly<Record<string, string>> => ({
  purpose: 'export-parts',
  property: String(property),
  job: String(job),
});
