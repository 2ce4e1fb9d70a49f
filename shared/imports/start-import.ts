import * as v from 'valibot';
import type { Workflow } from '../runtime/ports.ts';
import { type Key, keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { changeJob } from './change-job.ts';
import type { ImportJob, StoredObject } from './job.ts';
import type { FileEvent, JobReference, ObjectCreated } from './messages.ts';
import { parseUploadKey, versionHash } from './object-keys.ts';
import type { ImportRepository } from './repository.ts';
import { judgeDrop, type DropDeps, type Dropped, type Ignored } from './start-dropped.ts';
import { canMove, moved } from './transitions.ts';
import type { WatchedJobs } from './watched-jobs.ts';

export interface StartDeps {
  readonly imports: ImportRepository;
  readonly watched: Pick<WatchedJobs, 'watch'>;
  readonly table: Pick<Table, 'get' | 'write'>;
  readonly workflow: Workflow;
  readonly clock: () => number;
  /** Told of files that start no job. */
  readonly ignored: (why: Ignored) => void;
}

const claimItem = v.object({ job: v.number() });

/** Takes word of a file that has arrived: one version of an object starts one job, however often it is told. */
export const startImport = async (deps: DropDeps, event: FileEvent): Promise<void> => {
  if (event.source === 'aws.s3') {
    await startUploaded(deps, event);
    return;
  }
  const dropped = await judgeDrop(deps, event);
  if (!dropped.ok) {
    deps.ignored(dropped.error);
    return;
  }
  const { property, import: importId } = dropped.value;
  await startWorkflow(deps, { property, import: importId, job: await beginAnother(deps, dropped.value) });
};

/**
 * The first version of an upload to a pre-signed address belongs to the job made for it, also when that was cancelled
 * before; another version under the same key makes a job of its own.
 */
const startUploaded = async (deps: StartDeps, { detail }: ObjectCreated): Promise<void> => {
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
  const job = (await begin(deps, { property, job: id }, object)) ? id : await replaced(deps, made, object);
  if (job === undefined) {
    deps.ignored('elsewhere');
    return;
  }
  await startWorkflow(deps, { property, import: importId, job });
};

/** The job of another version than the one a job was made for; none when the definition is there no more. */
const replaced = async (
  deps: StartDeps,
  { property, import: importId, file }: ImportJob,
  object: StoredObject,
): Promise<number | undefined> => {
  const definition = await deps.imports.definition(property, importId);
  if (!definition || !file) return undefined;
  const { revision } = definition;
  return beginAnother(deps, { property, import: importId, revision, name: file.name, object });
};

const startWorkflow = async ({ workflow }: StartDeps, reference: JobReference): Promise<void> =>
  workflow.start(`p${reference.property}-import-${reference.job}`, { ...reference });

/**
 * Ties a job that waits for its file to this version and fixes the moment of acceptance. `false` when the job is tied to
 * another version.
 */
const begin = async (
  { imports, watched, clock }: StartDeps,
  reference: { readonly property: number; readonly job: number },
  object: StoredObject,
): Promise<boolean> => {
  const seen = await changeJob(imports, reference, async (job) => {
    if (!job.file || job.file.object) return undefined;
    await watched.watch(job, clock());
    const file = { ...job.file, object };
    if (canMove(job, 'start')) return { ...moved('start'), started: clock(), file };
    return { file };
  });
  return !seen.file?.object || seen.file.object.etag === object.etag;
};

/** Makes the job of a version that has none waiting for it, once: its id is decided by an item put if absent. */
const beginAnother = async (
  deps: StartDeps,
  { property, import: importId, revision, name, object }: Dropped,
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
  await begin(deps, { property, job: id }, object);
  return id;
};

const claim = async ({ imports, table }: StartDeps, property: number, key: Key): Promise<number> => {
  const job = await imports.nextId(property, 'import-job');
  if ((await table.write({ kind: 'insert', key, set: { job } })) === 'applied') return job;
  return v.parse(claimItem, await table.get(key)).job;
};
