/** Check drop: decides whether a file from SFTP starts a job, and starts it. */
import * as v from 'valibot';
import type { ObjectStore } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { type DroppedFile, isTemporaryName, keyOfPath, parseDropKey } from '../../sftp/paths.ts';
import { isResultName } from '../../sftp/result-names.ts';
import type { ImportDefinition } from '../items/import-definition.ts';
import { globMatches } from './file-glob.ts';
import type { StoredObject } from '../items/import-job.ts';
import {
  type FileAccessed,
  type FileRenamed,
  type FileUploaded,
  objectKeyOf,
  type AcceptedFile,
  type IgnoreReason,
} from './file-events.ts';
import { jobOfVersion, leaveVersion } from './file-claims.ts';
import type { JobReference } from '../items/job-messages.ts';
import { fileName } from '../schemas/names.ts';
import { startJobOnce, type StartDeps } from './start-job.ts';

export interface DropDeps extends StartDeps {
  readonly uploads: Pick<ObjectStore, 'head' | 'remove'>;
}

/** A file that was uploaded or renamed over SFTP, by an event. */
export interface Drop {
  readonly key: string;
  /** The ETag in the event, in quotes. Transfer Family does not promise one, and a rename never has one. */
  readonly etag?: string;
  /** The size in the event. */
  readonly size?: number;
  /** The earlier key of a renamed file. */
  readonly from?: string;
  /** The time of arrival in the event (ISO 8601). */
  readonly arrived: string;
}

/** The file of an event. */
export const dropOf = (event: FileUploaded | FileRenamed): Drop => {
  const { detail } = event;
  const place = { key: objectKeyOf(event), arrived: detail['end-timestamp'] };
  if (!('file-path' in detail)) return { ...place, from: keyOfPath(detail['original-file-path']) };
  const { etag, bytes: size } = detail;
  return { ...place, size, ...(etag === undefined ? {} : { etag: `"${etag.replaceAll('"', '')}"` }) };
};

/** Starts the job of a file, unless its directory, its name or its version rules that out. */
export const startDropped = async (
  deps: DropDeps,
  drop: Drop,
): Promise<Result<JobReference, IgnoreReason>> => {
  const accepted = await checkDrop(deps, drop);
  return accepted.ok ? ok(await startJobOnce(deps, accepted.value)) : accepted;
};

/**
 * Decides by directory, name and version whether a file starts a job. A rename within a directory starts no job if the
 * file had started a job under its old name.
 */
export const checkDrop = async (deps: DropDeps, drop: Drop): Promise<Result<AcceptedFile, IgnoreReason>> => {
  const { key, arrived } = drop;
  const place = await placeOf(deps, key);
  if (!place) {
    await removeStray(deps, key);
    return err('elsewhere');
  }
  const { file, definition } = place;
  const fault = faultOf(file.name, definition);
  if (fault) return err(fault);
  const { property, import: importId, name } = file;
  const version = await versionOf(deps, property, drop);
  if (!version.ok) return version;
  const object: StoredObject = { bucket: 'uploads', key, ...version.value };
  const old = drop.from === undefined ? undefined : parseDropKey(drop.from);
  if (old?.import === definition.id && faultOf(old.name, definition) === undefined) {
    await leaveVersion(deps, { property, key, etag: object.etag });
    return err('taken');
  }
  const { revision, test_mode: dryRun } = definition;
  return ok({ property, import: importId, revision, name, dryRun, object, arrived });
};

/**
 * Marks the remains of an interrupted upload, so that the reconciliation does not take them for a file whose event was
 * lost.
 */
export const leaveBrokenFile = async (deps: DropDeps, { detail, time }: FileAccessed): Promise<void> => {
  const key = keyOfPath(detail['file-path']);
  const file = parseDropKey(key);
  const info = file && (await deps.uploads.head(key));
  if (info && !isLater(info.modified, detail['end-timestamp'] ?? time))
    await leaveVersion(deps, { property: file.property, key, etag: info.etag });
};

interface Place {
  readonly file: DroppedFile;
  readonly definition: ImportDefinition;
}

/**
 * The definition whose directory contains a key. Checks the account itself, although a session cannot leave its
 * account.
 */
const placeOf = async ({ imports }: DropDeps, key: string): Promise<Place | undefined> => {
  const file = parseDropKey(key);
  const definition = file && (await imports.definition(file.property, file.import));
  return file && definition?.account === file.account ? { file, definition } : undefined;
};

/**
 * Removes a file from a directory that never had a definition. Otherwise the file would stay for a month, and its
 * sender would not learn that it is not imported. A file of a deleted definition stays: the event may be a repeated old
 * one, the file may have started a job, and workers may still read it.
 */
const removeStray = async ({ uploads, imports }: DropDeps, key: string): Promise<void> => {
  const file = parseDropKey(key);
  if (file && !(await imports.hasHistory(file.property, file.import))) await uploads.remove(key);
};

const faultOf = (name: string, { file_match_rule: rule }: ImportDefinition): IgnoreReason | undefined => {
  if (isTemporaryName(name)) return 'waiting';
  if (isResultName(name)) return 'result';
  if (!v.is(fileName, name)) return 'bad_name';
  return rule === null || globMatches(rule, name) ? undefined : 'not_matched';
};

/** S3 rounds times to seconds, and clocks differ slightly. */
const SLACK_MS = 5_000;

const isLater = (modified: number, time: string): boolean => modified > Date.parse(time) + SLACK_MS;

/**
 * The version of a file that an event means. A version that was uploaded after the event is another file, which may be
 * incomplete and has an event of its own.
 */
const versionOf = async (
  deps: DropDeps,
  property: number,
  { key, etag, size, arrived }: Drop,
): Promise<Result<Pick<StoredObject, 'etag' | 'size' | 'checksum'>, IgnoreReason>> => {
  const info = await deps.uploads.head(key);
  // An earlier delivery of the event may have died after it gave the version a job. The job must be able to end.
  if (etag !== undefined && info?.etag !== etag && (await jobOfVersion(deps, { property, key, etag })))
    return ok({ etag, size: size ?? 0, checksum: null });
  if (!info || (info.etag !== etag && isLater(info.modified, arrived))) return err('gone');
  return ok({ etag: info.etag, size: info.size, checksum: info.checksum });
};
