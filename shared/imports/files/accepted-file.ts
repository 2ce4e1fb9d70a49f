import type { Workflow } from '../../runtime/ports.ts';
import { keyOfPath } from '../../sftp/paths.ts';
import type { ChangeDeps } from '../model/change-job.ts';
import type { Table } from '../../table/table.ts';
import type { StoredObject } from '../model/import-job.ts';
import type { FileRenamed } from './file-events.ts';
import type { FileUploaded } from './file-events.ts';
import type { WatchedJobs } from '../model/watched-jobs.ts';

/** Why a file starts no job. */
export type IgnoreReason =
  /** It lies in no directory of a definition of its account. */
  | 'elsewhere'
  /** The address of an upload has taken a file before; S3 should have refused this one. */
  | 'second_version'
  /** Its name says that it is still being sent. */
  | 'waiting'
  /** No job could show its name. */
  | 'bad_name'
  /** The definition takes other files. */
  | 'not_matched'
  /** It was renamed, having started a job under its old name. */
  | 'taken'
  /** It is there no more, or another took its place, of which there is word too. */
  | 'gone';

/** A file that starts a job. */
export interface AcceptedFile {
  readonly property: number;
  readonly import: number;
  /** Of the definition. */
  readonly revision: number;
  readonly name: string;
  readonly object: StoredObject;
  /** When it had arrived, as its event tells it (ISO 8601). */
  readonly arrived: string;
}

/** The key that a file which was sent or renamed over SFTP has now. */
export const objectKeyOf = ({ detail }: FileUploaded | FileRenamed): string =>
  keyOfPath('file-path' in detail ? detail['file-path'] : detail['renamed-file-path']);
export interface StartDeps extends ChangeDeps {
  readonly watched: Pick<WatchedJobs, 'watch'>;
  readonly table: Pick<Table, 'get' | 'write'>;
  readonly workflow: Workflow;
  readonly clock: () => number;
  /** Told of files that start no job. */
  readonly ignored: (why: IgnoreReason) => void;
}
