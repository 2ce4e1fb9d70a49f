/** Items of exports: the stored shapes of definitions, jobs, parts and deliveries. Times are epoch milliseconds. */
import { isUint8Array } from 'node:util/types';
import * as v from 'valibot';
import type { ExportFailureCode } from '../../http/row-codes.ts';
import { scheduleShape } from '../../schedules/schedule.ts';
import { consentStates } from '../../profiles/consent.ts';
import { deliveryItem } from '../../deliveries/delivery.ts';
import { pinnedBy } from '../../sftp/host-key.ts';
import { temporaryNames, verifications } from '../../sftp/outgoing.ts';

const id = v.pipe(v.number(), v.safeInteger());
const nullableId = v.nullable(id);
const nullableText = v.nullable(v.string());
const nullableTime = v.nullable(v.number());
const bytes = v.custom<Uint8Array>(isUint8Array);

/** Names a job of an export. */
export interface JobRef {
  readonly property: number;
  readonly export: number;
  readonly job: number;
}

/** One column of a custom format: the attribute and the column's name in the file. */
const customColumn = v.object({ umbel_field_name: v.string(), destination_field_name: v.string() });

/** The run queue of a definition: one concurrency slot, and at most one job that waits for it. */
const runQueueItem = v.object({
  /** The newest job. */
  latest_job: nullableId,
  /** The holder of the slot. A job keeps the slot until the next job acquires it. */
  current_job: nullableId,
  waiting_job: nullableId,
  /** The last job that is known to be complete. */
  complete_job: nullableId,
  /** The number of runs so far: the number of the newest job. A waiting job is always the newest. */
  runs: v.number(),
  /** The number of the run of the current job. */
  current_run: v.nullable(v.number()),
  /** The job whose members the receiver of `changes` knows; `null` when it knows nobody. Items of 0.2.0 have none. */
  told_job: v.optional(nullableId, null),
  /** The last job after it that was given up: the receiver may know a part of its changes. `null` without such a job. */
  untold_job: v.optional(nullableId, null),
  /** The revision with which this receiver of `changes` began. Jobs of earlier revisions tell it nothing. */
  feed_revision: v.optional(v.number(), 0),
});
export type RunQueue = v.InferOutput<typeof runQueueItem>;

/** Steps of a test of an export: its SFTP server, its bucket, its receiver of changes, its webhook, its address. */
export const testSteps = [
  'connect',
  'host_key',
  'login',
  'session',
  'look',
  'write',
  'verify',
  'rename',
  'remove',
  'assume_role',
  'put_object',
  'delete_object',
  'changes',
  'webhook',
  'email',
] as const;
export const testResults = ['ok', 'failed', 'skipped'] as const;

/** Ways in which the service logs in to an SFTP server. */
export const sftpAuthentications = [
  'service_key',
  'private_key',
  'password',
  'service_key_and_password',
  'private_key_and_password',
] as const;

/** The SFTP server that files are pushed to. */
const destinationItem = v.object({
  /** `host` or `host:port`, as the client sent it. */
  domain: v.string(),
  client_id: v.string(),
  /** How the service logs in: with a key pair of its own, or with the key or password of the client, or with both. */
  authentication: v.picklist(sftpAuthentications),
  /** The public key of the login, a line of `authorized_keys`; `null` for a login by password alone. */
  public_key: nullableText,
  /** The seed of the own key pair, or the client's private key, encrypted by KMS under `loginContext`. */
  private_key: v.nullable(bytes),
  /** The password, encrypted by KMS under `loginContext`. */
  password: v.nullable(bytes),
  /** Whether a file has a temporary name until it is whole. */
  temporary_name: v.picklist(temporaryNames),
  /** How the service checks the file on the server. */
  verify: v.picklist(verifications),
});
export type Destination = v.InferOutput<typeof destinationItem>;
export type SftpAuthentication = Destination['authentication'];

/** The bucket of a client that files are put into. */
const s3DestinationItem = v.object({
  bucket: v.string(),
  region: v.string(),
  /** The role of the client's account that the service assumes. */
  role_arn: v.string(),
  /** The external id of the property, assigned by the service. */
  external_id: v.string(),
});
export type S3Destination = v.InferOutput<typeof s3DestinationItem>;

/** Changes that a receiver is told: people who enter, who leave, and whose values change. */
export const changeKinds = ['added', 'removed', 'changed'] as const;

/** Which members a receiver without a base is told: nobody, or all. */
export const firstChanges = ['none', 'all'] as const;

/** The receiver of the changes of a delta, which are sent to it in calls. */
const changesItem = v.object({
  url: v.string(),
  kinds: v.array(v.picklist(changeKinds)),
  first: v.picklist(firstChanges),
});

/** Formats of files: cells with commas, tabs or semicolons between them, or JSON Lines. */
export const dataFormats = ['csv', 'txt', 'jsonl', 'excel_comma', 'excel_semicolon'] as const;
export type DataFormat = (typeof dataFormats)[number];

/** Compressions of files. */
export const compressions = ['none', 'gzip'] as const;

/** An export definition as stored. */
export const exportDefinition = v.object({
  /** The account that owns the property; its audit log says who opened the files. */
  account: id,
  property: id,
  export: id,
  created: v.number(),
  /** 1, plus 1 for each replacement. */
  revision: v.number(),
  /** One line of text of the client, for people. */
  name: nullableText,
  /** The segments that the client named, and all segments of the types that the client named. */
  segment: v.array(id),
  /** Resolved into segments when a job is planned. */
  collection: v.array(id),
  tile_types: v.array(v.string()),
  /** Only people with this consent. Its segment is looked up when a job is planned. */
  consent: v.nullable(v.object({ channel: v.string(), state: v.picklist(consentStates) })),
  field_set: v.picklist(['all', 'email', 'custom']),
  data_format: v.picklist(dataFormats),
  compression: v.picklist(compressions),
  /** Template of the names of files; `null` for the names that the service gives. */
  file_name: nullableText,
  /** Template of the directory on the server or in the bucket of the client; `null` for the directory of the login. */
  directory: nullableText,
  scope: v.picklist(['full', 'delta']),
  custom_result_format: v.nullable(v.array(customColumn)),
  start_date: nullableText,
  end_date: nullableText,
  formula_guard: v.boolean(),
  /** ASCII-armoured, as the client sent it. */
  pgp_public_key: nullableText,
  notification_email: nullableText,
  destination: v.nullable(destinationItem),
  s3_destination: v.nullable(s3DestinationItem),
  webhook_url: nullableText,
  /** Encrypted with KMS under `secretContext`. It signs the calls with changes, too. */
  webhook_secret: v.nullable(bytes),
  /** Whether a job without rows has no file. Items of release 0.2.0 lack this and the next attribute. */
  skip_empty: v.optional(v.boolean(), false),
  /** With it, the changes of each job are sent as calls. */
  changes: v.optional(v.nullable(changesItem), null),
  schedule: v.nullable(scheduleShape),
  /** The time of the only run of a schedule that runs once. */
  run_at: nullableTime,
  /** Whether the schedule has runs to come. */
  to_come: v.boolean(),
  ...runQueueItem.entries,
});
export type ExportDefinition = v.InferOutput<typeof exportDefinition>;

/** The plan of a job: its frozen members and how they are cut into shards. */
const exportPlan = v.object({
  /** Object of the exports bucket that holds the members. */
  members_key: v.string(),
  members: v.number(),
  /** The base of a delta: members and watermark of an earlier job. `null` when the file has all members. */
  base: v.nullable(
    v.object({
      job: id,
      members_key: v.string(),
      watermark: v.number(),
      /** Object with the people of whom the receiver of `changes` may know either; `null` without such people. */
      uncertain_key: v.optional(nullableText, null),
    }),
  ),
  /** Whether nobody is told: the receiver is new, and wants no first changes. */
  silent: v.optional(v.boolean(), false),
  /** Object with the members whom the changes leave out, so that the receiver does not know them; `null` without any. */
  omitted_key: v.optional(nullableText, null),
  /** Members of the job and of its base, and those of whom its receiver may know either; the shards are cut from them. */
  candidates: v.number(),
  shards: v.number(),
  /** Object of the work bucket with the sizes of the segments. */
  sizes_key: v.string(),
  /** Key of the sealed parts, wrapped by KMS under `partsContext`. */
  data_key: bytes,
  /** A time before the first read: profiles stored later may be missing. */
  watermark: v.number(),
  /** Revision of the definition. A delta and its base have the same revision. */
  revision: v.number(),
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
  /** Whether the file is encrypted with OpenPGP. */
  encrypted: v.boolean(),
  /** Object of the exports bucket that describes the file. */
  manifest_key: v.string(),
  /** The location opens the file until this time. */
  expires: v.number(),
});
export type ExportFile = v.InferOutput<typeof exportFile>;

/** States of a job; `transitions.ts` draws the state machine. */
export const jobStatuses = ['pending', 'running', 'complete', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** Statuses of an export: the status of its latest job, or `scheduled` before the first job. */
export const exportStatuses = [...jobStatuses, 'scheduled'] as const;
export type ExportStatus = (typeof exportStatuses)[number];

/** An export job as stored. */
export const exportJob = v.object({
  property: id,
  export: id,
  job: id,
  /** The number of this run of the definition, from 1. Failed and cancelled runs count. */
  run: v.number(),
  status: v.picklist(jobStatuses),
  created: v.number(),
  started: nullableTime,
  finished: nullableTime,
  plan: v.nullable(exportPlan),
  /** Members without a row. */
  skipped: v.nullable(v.number()),
  /** `null` until the job is complete, and for a job without rows if its definition skips empty files. */
  file: v.nullable(exportFile),
  error: v.nullable(v.object({ code: v.string(), detail: v.string() })),
});
export type ExportJob = v.InferOutput<typeof exportJob>;

/** Why a job has failed. */
export interface ExportFailure {
  readonly code: ExportFailureCode;
  readonly detail: string;
}

/** A finished part: the object of the attempt that finished first. */
export const exportPart = v.object({
  shard: v.number(),
  /** Object of the work bucket. */
  key: v.string(),
  etag: v.string(),
  rows: v.number(),
  skipped: v.number(),
  /** Object with the keys of `extra_data` in the part; `null` when there are none. */
  keys_key: nullableText,
  /** Object with the members whom the part leaves out of changes; `null` without any. Items of release 0.2.0 lack it. */
  omitted_key: v.optional(nullableText, null),
});
export type ExportPart = v.InferOutput<typeof exportPart>;

/** Kinds of deliveries, in the order in which they begin. */
export const deliveryKinds = ['sftp', 's3', 'changes', 'webhook', 'email'] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

/** The attempts of a delivery as stored. */
export const exportAttempts = deliveryItem(deliveryKinds);

/** A delivery as stored. Only a delivery of changes says what its receiver has taken. */
export const exportDelivery = v.object({
  ...exportAttempts.entries,
  /** The number of the last call that the receiver took; 0 before the first. */
  part: v.exactOptional(v.number()),
  /** The bytes of the file that these calls told. */
  offset: v.exactOptional(v.number()),
  /** The changes in these calls. */
  sent: v.exactOptional(v.number()),
});
export type ExportDelivery = v.InferOutput<typeof exportDelivery>;

/** What a receiver of changes has taken. */
export type Taken = Required<Pick<ExportDelivery, 'part' | 'offset' | 'sent'>>;

/** An unfinished upload to the bucket of a client, which the next attempt continues. */
export const exportUpload = v.object({
  /** The id that S3 gave the upload. */
  upload: v.string(),
  key: v.string(),
});
export type ExportUpload = v.InferOutput<typeof exportUpload>;

/** The job whose file a download capability opens. */
export const downloadItem = v.object({ property: id, export: id, job: id, expires: v.number() });

/** The pinned key of the SFTP server of a definition. */
export const hostKeyItem = v.object({
  fingerprint: v.string(),
  type: nullableText,
  pinned: v.number(),
  pinned_by: v.picklist(pinnedBy),
});
export type HostKey = v.InferOutput<typeof hostKeyItem>;
