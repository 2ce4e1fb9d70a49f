import * as v from 'valibot';
import { tenantGroup, type QueueMessage } from '../../runtime/ports.ts';

/** Body of a message of the queue of batches: which batch to work off. */
export const batchMessage = v.object({
  v: v.literal(1),
  property: v.number(),
  job: v.number(),
  batch: v.string(),
});
export type BatchMessage = v.InferOutput<typeof batchMessage>;

/** Asks for a batch to be worked off. It may be asked for again. */
export const batchMessageOf = (property: number, job: number, batch: string): QueueMessage => ({
  group: tenantGroup(property),
  body: JSON.stringify({ v: 1, property, job, batch } satisfies BatchMessage),
});

/** What a workflow hands to its functions: ids only. */
export const jobReference = v.object({ property: v.number(), import: v.number(), job: v.number() });
export type JobReference = v.InferOutput<typeof jobReference>;

const isoTime = v.pipe(v.string(), v.isoTimestamp());

/** EventBridge's word of a new object in a bucket (the key comes undecorated, the tag without its quotes). */
const objectCreated = v.object({
  source: v.literal('aws.s3'),
  'detail-type': v.literal('Object Created'),
  time: isoTime,
  detail: v.object({
    bucket: v.object({ name: v.string() }),
    object: v.object({ key: v.string(), size: v.optional(v.number(), 0), etag: v.string() }),
  }),
});
export type ObjectCreated = v.InferOutput<typeof objectCreated>;

/**
 * What Transfer Family says of who did something to a file. It is for the audit log alone: a file is imported without it.
 */
const actor = {
  username: v.optional(v.string()),
  'client-ip': v.optional(v.string()),
  'session-id': v.optional(v.string()),
} as const;
const timedActor = { 'end-timestamp': isoTime, ...actor } as const;

/** Transfer Family's word of a file that came whole over SFTP; of a broken one it says something else. */
const fileUploaded = v.object({
  source: v.literal('aws.transfer'),
  'detail-type': v.literal('SFTP Server File Upload Completed'),
  detail: v.object({
    'file-path': v.string(),
    bytes: v.number(),
    etag: v.string(),
    ...timedActor,
  }),
});
export type FileUploaded = v.InferOutput<typeof fileUploaded>;

/** Its word of a file that got another name. */
const fileRenamed = v.object({
  source: v.literal('aws.transfer'),
  'detail-type': v.literal('SFTP Server File Rename Completed'),
  detail: v.object({
    'original-file-path': v.string(),
    'renamed-file-path': v.string(),
    ...timedActor,
  }),
});
export type FileRenamed = v.InferOutput<typeof fileRenamed>;

/**
 * Its word of a file that was read or removed: for the audit log alone. A read that broke off has no time of its own, and may
 * have taken most of the file.
 */
const fileAccessed = v.object({
  source: v.literal('aws.transfer'),
  'detail-type': v.picklist([
    'SFTP Server File Download Completed',
    'SFTP Server File Download Failed',
    'SFTP Server File Delete Completed',
  ]),
  time: isoTime,
  detail: v.object({
    'file-path': v.string(),
    'start-timestamp': v.optional(v.string()),
    'end-timestamp': v.optional(v.string()),
    ...actor,
  }),
});
export type FileAccessed = v.InferOutput<typeof fileAccessed>;

/** Everything that is told of files. */
export const fileEvent = v.variant('detail-type', [objectCreated, fileUploaded, fileRenamed, fileAccessed]);
export type FileEvent = v.InferOutput<typeof fileEvent>;
