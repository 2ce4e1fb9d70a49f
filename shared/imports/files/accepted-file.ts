import { keyOfPath } from '../../sftp/paths.ts';
import type { StoredObject } from '../items/import-job.ts';
import type { FileRenamed, FileUploaded } from './file-events.ts';

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
