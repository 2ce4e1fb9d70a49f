/** Assemble export: joins the sealed parts of a job into its file, as the last step of the export workflow. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { newDelivery } from '../../deliveries/delivery-state.ts';
import type { PropertyScope } from '../../properties/scope.ts';
import { DAY_MS, type Clock } from '../../runtime/clock.ts';
import type { Ids } from '../../runtime/ids.ts';
import { pgpKeyDetails, type PgpKeyFault } from '../../pgp/key-faults.ts';
import { ok, type Result } from '../../runtime/result.ts';
import { UploadGoneError } from '../../runtime/parted-upload.ts';
import type { UploadedObject } from '../../runtime/resumable-upload.ts';
import { forSeconds, type HasTime } from '../../runtime/time-budget.ts';
import { readCheckpoint, storeCheckpoint } from './assembly-checkpoint.ts';
import type { KeyService, ObjectStore } from '../../runtime/ports.ts';
import type { ExportDefinition, ExportFile, ExportJob, ExportPart, JobRef } from '../model/items.ts';
import { isOpen, moved } from '../model/transitions.ts';
import { byteOrderMarkOf, headerOf, layoutOf, lineEndOf, styleOf, type ExtraColumns } from './layout.ts';
import { capabilityOf } from '../model/location.ts';
import { manifestOf, type SegmentSizes } from './manifest.ts';
import { protectionOf, type FileStore, type OutgoingFile } from './outgoing-file.ts';
import { filePrinter, type FilePrinter } from './print-file.ts';
import { columnsOf, omittedMembers, partsAhead, type PartSource } from './read-parts.ts';
import type { ExportRepository } from '../model/repository.ts';
import { contentTypeOf, fileName } from '../model/file-names.ts';
import { dataKeyOf, requireDefinition, requireJob, requirePlan } from '../model/named-items.ts';
import { ATTEMPT_ID_BYTES, objectKeys } from '../model/work-keys.ts';

export interface AssembleDeps {
  readonly exports: ExportRepository;
  readonly work: ObjectStore;
  readonly files: FileStore;
  readonly keyService: KeyService;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
}

/**
 * The next step of the workflow: call again, because the rest of the file needs more time; start the deliveries; or stop
 * because the job failed or was cancelled.
 */
export interface AssembleAnswer {
  readonly status: 'running' | 'complete' | 'failed';
}

/**
 * Joins the parts of a job into its file, describes the file in a manifest, and makes the job `complete`. A file that
 * takes longer than a call is suspended between two parts, and the next call goes on from the checkpoint. Each attempt
 * writes objects of its own. The job names the objects of one attempt, in a write that follows once the objects are
 * durable. A call for an ended job does nothing. If the PGP key of the definition can no longer encrypt, the job fails
 * and no file is written. A job without rows has no file if its definition skips empty files.
 */
export const assembleExport = async (deps: AssembleDeps, ref: JobRef): Promise<AssembleAnswer> => {
  const hasTime = forSeconds(deps.clock, limits.exports.assembleSeconds);
  const { value: job, w } = await requireJob(deps.exports, ref);
  if (job.status !== 'running') return ended(job);
  const plan = requirePlan(job);
  const { shards, sizes_key } = plan;
  const [parts, definition, dataKey, sizes, { keys }] = await Promise.all([
    allParts(deps.exports, ref, shards),
    requireDefinition(deps.exports, ref),
    dataKeyOf(deps.keyService, job),
    readSizes(deps.work, sizes_key),
    deps.scopeOf(ref.property),
  ]);
  const source = { work: deps.work, ref, dataKey };
  const complete = async (file: ExportFile | null) => {
    const omitted_key = await storeOmitted(deps, source, parts);
    const end = { finished: deps.clock(), skipped: skippedIn(parts), file, plan: { ...plan, omitted_key } };
    return endJob(deps, ref, w, { ...moved('complete'), ...end });
  };
  if (hasNoFile(definition, parts)) {
    const answer = await complete(null);
    if (answer.status === 'complete' && definition.changes && plan.base) await tellNothing(deps, ref);
    return answer;
  }
  const columns = await columnsOf(source, definition, parts);
  const printer = filePrinter({
    layout: layoutOf(definition),
    style: styleOf(definition),
    columns,
    mark: byteOrderMarkOf(definition),
  });
  const assembly = { job, definition, source, parts, sizes, columns, printer };
  const opened = await openFile(deps, assembly);
  if (!opened.ok) {
    const error = { code: opened.error, detail: pgpKeyDetails[opened.error] };
    return endJob(deps, ref, w, { ...moved('fail'), finished: deps.clock(), error });
  }
  const written = await writeRows(deps, assembly, opened.value, hasTime);
  if (!written) return { status: 'running' };
  const file = await describeFile(deps, assembly, written);
  await deps.exports.insertDownload(ref, capabilityOf(keys.downloads, ref, file.expires), file.expires);
  return complete(file);
};

/**
 * Ends the delivery of a job that has no changes since its base: it makes no call. If an attempt has begun already, it finds
 * the same.
 */
const tellNothing = async ({ exports, clock }: AssembleDeps, ref: JobRef): Promise<void> => {
  const set = { ...newDelivery('changes'), state: 'delivered', delivered: clock() } as const;
  await exports.updateDelivery(ref, set, { state: 'waiting', begun: 0 });
};

/** Stores the members whom the parts leave out of changes: a later job builds on the others alone. */
const storeOmitted = async (
  { files, ids }: AssembleDeps,
  source: PartSource,
  parts: readonly ExportPart[],
): Promise<string | null> => {
  const omitted = await omittedMembers(source, parts);
  if (omitted.length === 0) return null;
  return files.freeze(objectKeys.omitted(source.ref, ids.hex(ATTEMPT_ID_BYTES)), omitted);
};

/** Whether a job ends without a file: it has no rows, and its definition has use for rows alone. */
const hasNoFile = (
  { skip_empty, changes }: Pick<ExportDefinition, 'skip_empty' | 'changes'>,
  parts: readonly ExportPart[],
): boolean => (skip_empty || changes !== null) && parts.every(({ rows }) => rows === 0);

/** Ends the job, and returns its state: if another writer ended the job in between, that end stands. */
const endJob = async (
  { exports }: AssembleDeps,
  ref: JobRef,
  w: string,
  end: Partial<ExportJob> & AssembleAnswer,
): Promise<AssembleAnswer> => {
  const outcome = await exports.updateJob(ref, w, end);
  return outcome === 'applied' ? { status: end.status } : ended((await requireJob(exports, ref)).value);
};

const ended = (job: ExportJob): AssembleAnswer => {
  if (isOpen(job)) throw new Error('exports: the job is open, and not ready to be assembled');
  return { status: job.status === 'complete' ? 'complete' : 'failed' };
};

const allParts = async (
  exports: ExportRepository,
  ref: JobRef,
  shards: number,
): Promise<readonly ExportPart[]> => {
  const parts = await exports.parts(ref);
  if (parts.length !== shards || parts.some(({ shard }, index) => shard !== index))
    throw new Error(`exports: ${shards - parts.length} parts are missing`);
  return parts;
};

/** What all calls for a job work with. */
interface Assembly {
  readonly job: ExportJob;
  readonly definition: ExportDefinition;
  readonly source: PartSource;
  readonly parts: readonly ExportPart[];
  readonly sizes: SegmentSizes;
  readonly columns: ExtraColumns;
  readonly printer: FilePrinter;
}

/** The file of an attempt after the rows of the parts before `nextPart`. */
interface OpenFile {
  readonly attemptId: string;
  readonly nextPart: number;
  readonly rows: number;
  readonly file: OutgoingFile;
}

/** A stored file. */
interface WrittenFile {
  readonly attemptId: string;
  readonly rows: number;
  readonly stored: UploadedObject;
}

const skippedIn = (parts: readonly ExportPart[]): number =>
  parts.reduce((sum, { skipped }) => sum + skipped, 0);

/** The file of the last checkpoint, or a new file. */
const openFile = async (deps: AssembleDeps, assembly: Assembly): Promise<Result<OpenFile, PgpKeyFault>> => {
  const { job, source } = assembly;
  const checkpoint = await readCheckpoint(deps, job, source.dataKey);
  return checkpoint
    ? ok({ ...checkpoint, file: await deps.files.resume(checkpoint.file) })
    : beginFile(deps, assembly);
};

/** Begins a file with its header, and stores its first checkpoint. */
const beginFile = async (
  deps: AssembleDeps,
  { job, definition, source, printer }: Assembly,
): Promise<Result<OpenFile, PgpKeyFault>> => {
  const protection = await protectionOf(definition, deps.clock());
  if (!protection.ok) return protection;
  const attemptId = deps.ids.hex(ATTEMPT_ID_BYTES);
  const key = objectKeys.file(job, attemptId);
  const options = { contentType: contentTypeOf(definition), compression: definition.compression };
  const file = await deps.files.begin(key, protection.value, options);
  await file.write(printer.header());
  const begun = { attemptId, nextPart: 0, rows: 0 };
  await storeCheckpoint(deps, job, source.dataKey, { ...begun, file: await file.suspend() });
  return ok({ ...begun, file });
};

/** Writes the rows of the parts that are left, as long as there is time. Returns the stored file after the last part. */
const writeRows = async (
  deps: AssembleDeps,
  assembly: Assembly,
  { attemptId, nextPart, file, rows: before }: OpenFile,
  hasTime: HasTime,
): Promise<WrittenFile | undefined> => {
  const { job, definition, source, parts, printer } = assembly;
  const lineEnd = lineEndOf(definition);
  let rows = before;
  try {
    for await (const { part, batches } of partsAhead(source, parts.slice(nextPart), lineEnd)) {
      if (!hasTime()) {
        const state = { attemptId, nextPart: part.shard, rows, file: await file.suspend() };
        await storeCheckpoint(deps, job, source.dataKey, state);
        return undefined;
      }
      for await (const batch of batches) await file.write(printer.rows(batch));
      rows += part.rows;
    }
    return { attemptId, rows, stored: await file.finish() };
  } catch (error) {
    if (!(error instanceof UploadGoneError)) throw error;
    // Another call has completed this file and may have died before it ended the job. A new file begins.
    await beginFile(deps, assembly);
    return undefined;
  }
};

const isEncrypted = ({ pgp_public_key }: ExportDefinition): boolean => pgp_public_key !== null;

/** Stores the manifest of a stored file. Returns the file as the job names it. */
const describeFile = async (
  deps: AssembleDeps,
  { job, definition, columns, parts, sizes }: Assembly,
  { attemptId, rows, stored: { etag, size, sha256 } }: WrittenFile,
): Promise<ExportFile> => {
  const plan = requirePlan(job);
  const encrypted = isEncrypted(definition);
  const name = fileName(definition, job);
  const written = { name, rows, bytes: size, sha256 };
  const manifest_key = objectKeys.manifest(job, attemptId);
  // Keys of `extra_data` are data: the manifest of an encrypted file leaves them out.
  const header = headerOf(layoutOf(definition), encrypted ? { keys: [], rest: false } : columns);
  const file = { ...written, skipped: skippedIn(parts) };
  await deps.files.describe(
    manifest_key,
    manifestOf({ job, plan, definition, columns: header, sizes, file }),
  );
  const expires = deps.clock() + limits.exports.locationDays * DAY_MS;
  return { key: objectKeys.file(job, attemptId), etag, ...written, encrypted, manifest_key, expires };
};

const segmentSizes = v.array(v.object({ id: v.number(), profiles: v.number() }));

const readSizes = async (work: ObjectStore, key: string): Promise<SegmentSizes> => {
  const sizes = await work.get(key);
  if (!sizes) throw new Error('exports: the sizes of the segments are missing');
  return v.parse(segmentSizes, JSON.parse(Buffer.from(sizes).toString()));
};
