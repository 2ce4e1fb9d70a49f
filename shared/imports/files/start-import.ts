import * as v from 'valibot';
import { ok, type Result } from '../../runtime/result.ts';
import { type Key, keys } from '../../table/keys.ts';
import { changeJob } from '../model/change-job.ts';
import type { StoredObject } from '../model/import-job.ts';
import { auditDrop, auditAccess, type AuditDropDeps } from './audit-sftp.ts';
import type { JobReference } from '../model/job-messages.ts';
import type { FileEvent } from './file-events.ts';
import type { FileRenamed } from './file-events.ts';
import type { FileUploaded } from './file-events.ts';
import type { ObjectCreated } from './file-events.ts';
import { parseUploadKey, versionHash } from '../model/object-keys.ts';
import { checkDrop, type DropDeps } from './check-drop.ts';
import type { StartDeps, AcceptedFile, IgnoreReason } from './accepted-file.ts';
import { canMove, moved } from '../model/transitions.ts';

const claimItem = v.object({ job: v.number() });

/**
 * Takes word of a file. One that has arrived starts a job: one version of an object starts one job, however often it is told.
 * What is done over SFTP is in the audit log.
 */
export const startImport = async (deps: DropDeps & AuditDropDeps, event: FileEvent): Promise<void> => {
  switch (event['detail-type']) {
    case 'Object Created':
      return startUploaded(deps, event);
    case 'SFTP Server File Upload Completed':
    case 'SFTP Server File Rename Completed': {
      const started = await startDropped(deps, event);
      if (!started.ok) deps.ignored(started.error);
      // Last, so that a file is imported while the audit log takes no entries. The event comes again until its entry is stored.
      return auditDrop(deps, event, started);
    }
    case 'SFTP Server File Download Completed':
    case 'SFTP Server File Download Failed':
    case 'SFTP Server File Delete Completed':
      return auditAccess(deps, event);
  }
};

/** A file of SFTP starts a job of its own, unless its name or its place speaks against it. */
const startDropped = async (
  deps: DropDeps,
  event: FileUploaded | FileRenamed,
): Promise<Result<JobReference, IgnoreReason>> => {
  const dropped = await checkDrop(deps, event);
  if (!dropped.ok) return dropped;
  const { property, import: importId } = dropped.value;
  const reference = { property, import: importId, job: await createJobOnce(deps, dropped.value) };
  await startWorkflow(deps, reference);
  return ok(reference);
};

/**
 * The file of a pre-signed address belongs to the job that was made for it, also when that job was cancelled before. The
 * address takes one file (`If-None-Match: *` is part of its signature), so a repeated PUT makes no second version.
 */
const startUploaded = async (deps: StartDeps, { detail, time }: ObjectCreated): Promise<void> => {
  const directory = parseUploadKey(detail.object.key);
  const made = directory && (await deps.imports.job(directory.property, directory.job));
  if (!made?.file || made.import !== directory?.import) {
    deps.ignored('elsewhere');
    return;
  }
  const object: StoredObject = {
    bucket: 'uploads',
    key: detail.object.key,
    etag: `"${detail.object.etag.replaceAll('"', '')}"`,
    size: detail.object.size,
  };
  const { property, import: importId, id } = made;
  if (await attachFile(deps, { property, job: id }, { object, arrived: time }))
    await startWorkflow(deps, { property, import: importId, job: id });
  else deps.ignored('second_version');
};

const startWorkflow = async ({ workflow }: StartDeps, reference: JobReference): Promise<void> =>
  workflow.start(`p${reference.property}-import-${reference.job}`, { ...reference });

/**
 * Ties a job that waits for its file to this version and fixes the moment of acceptance. `false` when the job is tied to
 * another version.
 */
const attachFile = async (
  deps: StartDeps,
  reference: { readonly property: number; readonly job: number },
  { object, arrived }: Pick<AcceptedFile, 'object' | 'arrived'>,
): Promise<boolean> => {
  const { watched, clock } = deps;
  const seen = await changeJob(deps, reference, async (job) => {
    if (!job.file || job.file.object) return undefined;
    const now = clock();
    await watched.watch(job, now);
    const file = { ...job.file, object };
    if (!canMove(job, 'start')) return { file };
    return { ...moved('start'), arrived: arrivalOf(arrived, reference.job, now), started: now, file };
  });
  return !seen.file?.object || seen.file.object.etag === object.etag;
};

/** S3 tells the time of an event in whole seconds: a file of such a second has arrived at its end at the latest. */
const LATE_IN_SECOND_MS = 900;
/** Files of one second are told apart by their jobs, so that all rows of one file are older than all rows of another. */
const FILES_PER_SECOND = 100;

/**
 * When a file counts as accepted (epoch milliseconds): when it arrived, however much later its job was begun (`now`), so
 * that of two files the newer one wins in whatever order they are begun.
 */
const arrivalOf = (told: string, job: number, now: number): number => {
  const time = Date.parse(told);
  const isWhole = !told.includes('.');
  return Math.min(now, isWhole ? time + LATE_IN_SECOND_MS + (job % FILES_PER_SECOND) : time);
};

/** Makes the job of a version that has none waiting for it, once: its id is decided by an item put if absent. */
const createJobOnce = async (
  deps: StartDeps,
  { property, import: importId, revision, name, object, arrived }: AcceptedFile,
): Promise<number> => {
  const key = keys.file(property, versionHash(object.bucket, object.key, object.etag));
  const claimed = await deps.table.get(key);
  const id = claimed ? v.parse(claimItem, claimed).job : await claim(deps, property, key);
  const about = { id, property, import: importId, revision, name, created: deps.clock() };
  await deps.imports.addJob({
    ...about,
    phase: 'awaiting',
    file: { name, object: null },
  });
  await attachFile(deps, { property, job: id }, { object, arrived });
  return id;
};

const claim = async ({ imports, table }: StartDeps, property: number, key: Key): Promise<number> => {
  const job = await imports.nextId(property, 'import-job');
  if ((await table.write({ kind: 'insert', key, set: { job } })) === 'applied') return job;
  return v.parse(claimItem, await table.get(key)).job;
};
