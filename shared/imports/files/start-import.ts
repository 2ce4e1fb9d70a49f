/** `startImport`: starts the job of each file that arrives, for the queue of file events. */
import * as v from 'valibot';
import { ok, type Result } from '../../runtime/result.ts';
import { type Key, keys } from '../../table/keys.ts';
import { changeJob } from '../model/change-job.ts';
import type { StoredObject } from '../model/import-job.ts';
import { auditDrop, auditAccess, type AuditDropDeps } from './audit-sftp.ts';
import type { JobReference } from '../model/job-messages.ts';
import type { FileEvent, FileRenamed, FileUploaded, ObjectCreated } from './file-events.ts';
import { parseUploadKey, versionHash } from '../model/object-keys.ts';
import { checkDrop, type DropDeps } from './check-drop.ts';
import type { StartDeps, AcceptedFile, IgnoreReason } from './accepted-file.ts';
import { canMove, moved } from '../model/transitions.ts';

const claimItem = v.object({ job: v.number() });

/**
 * Handles an event about a file. A file that has arrived starts a job. One version of an object starts one job, however
 * often its event is delivered. Actions over SFTP get an entry in the audit log.
 */
export const startImport = async (deps: DropDeps & AuditDropDeps, event: FileEvent): Promise<void> => {
  switch (event['detail-type']) {
    case 'Object Created':
      return startUploaded(deps, event);
    case 'SFTP Server File Upload Completed':
    case 'SFTP Server File Rename Completed': {
      const started = await startDropped(deps, event);
      if (!started.ok) deps.ignored(started.error);
      // Comes last, so that an outage of the audit log stops no import. The queue repeats the event until its entry is stored.
      return auditDrop(deps, event, started);
    }
    case 'SFTP Server File Download Completed':
    case 'SFTP Server File Download Failed':
    case 'SFTP Server File Delete Completed':
      return auditAccess(deps, event);
  }
};

/** Starts a job for a file from SFTP, unless its name or directory rules that out. */
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
 * Starts the job of a file that was uploaded to a pre-signed address. The file belongs to the job of the address, even
 * if the job was cancelled before. The address accepts one file (`If-None-Match: *` is part of its signature), so a
 * repeated PUT creates no second version.
 */
const startUploaded = async (deps: StartDeps, { detail, time }: ObjectCreated): Promise<void> => {
  const directory = parseUploadKey(detail.object.key);
  const job = directory && (await deps.imports.job(directory.property, directory.job));
  if (!job?.file || job.import !== directory?.import) {
    deps.ignored('elsewhere');
    return;
  }
  const object: StoredObject = {
    bucket: 'uploads',
    key: detail.object.key,
    etag: `"${detail.object.etag.replaceAll('"', '')}"`,
    size: detail.object.size,
  };
  const { property, import: importId, id } = job;
  if (await attachFile(deps, { property, job: id }, { object, arrived: time }))
    await startWorkflow(deps, { property, import: importId, job: id });
  else deps.ignored('second_version');
};

const startWorkflow = async ({ workflow }: StartDeps, reference: JobReference): Promise<void> =>
  workflow.start(`p${reference.property}-import-${reference.job}`, { ...reference });

/**
 * Attaches this version of a file to the job that waits for it, and sets the time of acceptance. `false` when another
 * version is attached to the job.
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

/** S3 rounds the time of an event down to a second. The file counts as arrived near the end of that second. */
const LATE_IN_SECOND_MS = 900;

/** The job id separates files of one second, so that all rows of one file are older than all rows of another file. */
const FILES_PER_SECOND = 100;

/**
 * The time of acceptance of a file (epoch milliseconds): its arrival, and not the start of its job (`now`), which may
 * be much later. So the newer of two files wins, in whichever order their jobs start.
 */
const arrivalOf = (arrived: string, job: number, now: number): number => {
  const time = Date.parse(arrived);
  const isWhole = !arrived.includes('.');
  return Math.min(now, isWhole ? time + LATE_IN_SECOND_MS + (job % FILES_PER_SECOND) : time);
};

/** Creates the job of a version once. The first writer of the claim item of the version decides the id of the job. */
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
