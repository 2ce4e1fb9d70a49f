/** `checkDrop`: decides whether a file from SFTP starts a job, for `startImport`. */
import * as v from 'valibot';
import type { ObjectStore } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { type DroppedFile, isTemporaryName, keyOfPath, parseDropKey } from '../../sftp/paths.ts';
import type { ImportDefinition } from '../model/import-definition.ts';
import { globMatches } from '../model/file-glob.ts';
import type { StoredObject } from '../model/import-job.ts';
import type { FileRenamed, FileUploaded } from './file-events.ts';
import { fileName } from '../model/schemas.ts';
import { objectKeyOf, type AcceptedFile, type IgnoreReason, type StartDeps } from './accepted-file.ts';

export interface DropDeps extends StartDeps {
  readonly uploads: Pick<ObjectStore, 'head' | 'remove'>;
}

/** Decides by name and directory whether a file that was uploaded or renamed over SFTP starts a job. */
export const checkDrop = async (
  deps: DropDeps,
  event: FileUploaded | FileRenamed,
): Promise<Result<AcceptedFile, IgnoreReason>> => {
  const { detail } = event;
  const key = objectKeyOf(event);
  const place = await placeOf(deps, key);
  if (!place) {
    await removeStray(deps, key);
    return err('elsewhere');
  }
  const { file, definition } = place;
  const fault = faultOf(file.name, definition);
  if (fault) return err(fault);
  const version =
    'file-path' in detail
      ? ok({ etag: `"${detail.etag.replaceAll('"', '')}"`, size: detail.bytes })
      : await renamedVersion(deps, key, detail, definition);
  if (!version.ok) return version;
  const { property, import: importId, name } = file;
  const { revision } = definition;
  return ok({
    property,
    import: importId,
    revision,
    name,
    object: { bucket: 'uploads', key, ...version.value },
    arrived: detail['end-timestamp'],
  });
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
  if (!v.is(fileName, name)) return 'bad_name';
  return rule === null || globMatches(rule, name) ? undefined : 'not_matched';
};

/** S3 rounds times to seconds, and clocks differ slightly. */
const SLACK_MS = 5_000;

/**
 * The present version of a renamed file, which the event does not name. A version that was uploaded after the rename is
 * another file, which may be incomplete. A rename within a directory starts no job if the file had started a job under
 * its old name.
 */
const renamedVersion = async (
  { uploads }: DropDeps,
  key: string,
  detail: FileRenamed['detail'],
  definition: ImportDefinition,
): Promise<Result<Pick<StoredObject, 'etag' | 'size'>, IgnoreReason>> => {
  const old = parseDropKey(keyOfPath(detail['original-file-path']));
  if (old?.import === definition.id && faultOf(old.name, definition) === undefined) return err('taken');
  const info = await uploads.head(key);
  if (!info || info.modified > Date.parse(detail['end-timestamp']) + SLACK_MS) return err('gone');
  return ok({ etag: info.etag, size: info.size });
};
