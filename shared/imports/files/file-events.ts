/** File events: the messages of EventBridge about files in S3 and over SFTP, and why a file starts no job. */
import * as v from 'valibot';
import { keyOfPath } from '../../sftp/paths.ts';
import type { StoredObject } from '../items/import-job.ts';

const isoTime = v.pipe(v.string(), v.isoTimestamp());

/** EventBridge's event of a new object in a bucket. It has the key unencoded and the ETag without quotes. */
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

/** The SFTP user of an event. Only the audit log uses these fields; the import of a file does not need them. */
const actor = {
  username: v.optional(v.string()),
  'client-ip': v.optional(v.string()),
  'session-id': v.optional(v.string()),
} as const;
const timedActor = { 'end-timestamp': isoTime, ...actor } as const;

/** Transfer Family's event of a file that arrived completely over SFTP. */
const fileUploaded = v.object({
  source: v.literal('aws.transfer'),
  'detail-type': v.literal('SFTP Server File Upload Completed'),
  detail: v.object({
    'file-path': v.string(),
    bytes: v.number(),
    /** AWS documents no ETag for these events, although they have one. */
    etag: v.optional(v.string()),
    ...timedActor,
  }),
});
export type FileUploaded = v.InferOutput<typeof fileUploaded>;

/** Transfer Family's event of a renamed file. */
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
 * Transfer Family's event of a file that was read, deleted or only partly uploaded. It starts no job. An interrupted
 * transfer has no end time of its own, and may have transferred most of the file.
 */
const fileAccessed = v.object({
  source: v.literal('aws.transfer'),
  'detail-type': v.picklist([
    'SFTP Server File Upload Failed',
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

/** Every event in the queue of file events. */
export const fileEvent = v.variant('detail-type', [objectCreated, fileUploaded, fileRenamed, fileAccessed]);
export type FileEvent = v.InferOutput<typeof fileEvent>;

/** Why a file starts no job. The log and the audit log contain these words. */
export type IgnoreReason =
  /** The file is in no directory of a definition of its account. */
  | 'elsewhere'
  /** The address of the upload accepted a file before. S3 should have refused this file. */
  | 'second_version'
  /** The name marks the file as incomplete. */
  | 'waiting'
  /** The name is invalid for a job. */
  | 'bad_name'
  /** The name is that of a file which the service itself writes beside an imported file. */
  | 'result'
  /** The name does not match the rule of the definition. */
  | 'not_matched'
  /** The file was renamed, and had started a job under its old name. */
  | 'taken'
  /** The file was removed or replaced. The replacement has an event of its own. */
  | 'gone';

/** A file that starts a job. */
export interface AcceptedFile {
  readonly property: number;
  readonly import: number;
  /** Revision of the definition. */
  readonly revision: number;
  readonly name: string;
  /** Whether the job of the file is a dry run. */
  readonly dryRun: boolean;
  readonly object: StoredObject;
  /** The time of arrival in the event (ISO 8601). */
  readonly arrived: string;
}

/** The present key of a file that was uploaded or renamed over SFTP. */
export const objectKeyOf = ({ detail }: FileUploaded | FileRenamed): string =>
  keyOfPath('file-path' in detail ? detail['file-path'] : detail['renamed-file-path']);
