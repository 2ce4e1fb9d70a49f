/** `importBatch`: imports the rows of one batch and stores the result, for the queue of batches. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits } from '../../config/limits.ts';
import { groupsOf } from '../../membership/index-work.ts';
import { mapLimited } from '../../runtime/pool.ts';
import { done, retryOnConflict } from '../../runtime/retry.ts';
import { CHUNKS_PER_GROUP } from '../../table/keys.ts';
import { isBatchDropped, settleCancellation } from '../jobs/cancellation.ts';
import type { Batch, BatchResult } from '../items/batch.ts';
import type { ImportDefinition } from '../items/import-definition.ts';
import type { FileFailure, ImportJob } from '../items/import-job.ts';
import type { ParsedRow } from '../mapping/parsed-row.ts';
import type { BatchMessage } from '../items/job-messages.ts';
import { rehearsalKeyOf, type ReportKind, reportKeyOf } from '../items/object-keys.ts';
import { sumListCells, reasonsOf } from '../items/row-findings.ts';
import { admitBatch, judgeBatch, rehearseGuard } from './judge-batch.ts';
import {
  processSlices,
  type Slice,
  slicesOf,
  type SliceResult,
  readBatchRows,
  type BatchAttempt,
  type BatchDeps,
} from './process-slices.ts';
import { writeReport, refusedRow, type ReportedRow } from '../reports/reported-row.ts';
import { finishDryRun } from '../dry-run/finish-dry-run.ts';
import { rehearsedBatchOf, writeRehearsed } from '../dry-run/rehearsed-batch.ts';
import type { Rehearsal } from '../../ingest/rehearsal.ts';
import type { CheckedRows } from '../rows/check-records.ts';

/**
 * Imports one batch: reads, maps, validates and stores its rows, then writes the result once. Every step can be
 * repeated: a second delivery stores the same values with the same timestamps, and only the first result counts. After
 * an exception the queue delivers the message again. The last delivery parks the batch: `isLast` tells whether the
 * message goes to the dead letters after an error.
 */
export const importBatch = async (
  deps: BatchDeps,
  message: BatchMessage,
  isLast: (error: unknown) => boolean = () => false,
): Promise<void> => {
  try {
    const queued = await readQueued(deps, message);
    const attempt = await openAttempt(deps, queued);
    // Storing a row returns its warnings only to the first worker. Another worker was first for some rows, so the
    // second attempt runs as repeated, which returns the warnings of all rows.
    if (attempt && !(await runAttempt(deps, attempt))) await repeatAttempt(deps, attempt);
    if (queued.job.dryRun) await finishDryRun(deps, message);
  } catch (error) {
    // If the parking fails, the repair parks the batch.
    if (isLast(error)) await parkBatch(deps, message).catch(() => undefined);
    throw error;
  }
};

/** Runs an attempt once more, with the batch as it is now, unless it has a result. */
const repeatAttempt = async (deps: BatchDeps, attempt: BatchAttempt): Promise<void> => {
  const batch = await deps.imports.batch(attempt.job.property, attempt.job.id, attempt.batch.uuid);
  if (!batch || batch.result) return;
  const again = { ...attempt, batch, attemptId: deps.ids.hex(8), repeated: true };
  if (!(await runAttempt(deps, again))) throw new Error('import: two workers decide about a batch');
};

/**
 * Whether the guards judge a batch before it is stored. The rows of a file are judged before they are in batches, and
 * a batch that was admitted is stored whatever happens to its job afterwards.
 */
const isJudged = ({ job, batch, definition }: BatchAttempt): boolean =>
  batch.source.kind !== 'rows' &&
  !batch.admitted &&
  !job.dryRun &&
  (definition.max_new_segments !== null ||
    definition.max_refused_share !== null ||
    definition.max_addresses_per_id !== null);

/** Whether the guard of ids judges a batch of a dry run. All other guards judge the result of the dry run. */
const isRehearsed = ({ job, batch, definition }: BatchAttempt): boolean =>
  job.dryRun && batch.source.kind === 'records' && definition.max_addresses_per_id !== null;

/** Imports all rows and stores the result; `false` when the batch needs another attempt that counts as repeated. */
const runAttempt = async (deps: BatchDeps, attempt: BatchAttempt): Promise<boolean> => {
  const rows = await readBatchRows(deps, attempt);
  const slices = slicesOf(attempt, rows);
  const isRehearsal = isRehearsed(attempt);
  if (!isRehearsal && !isJudged(attempt)) return storeRows(deps, attempt, { rows, slices });
  const checked = await checkSlices(slices);
  const checkedSlices = checked.map((slice) => ({ check: () => slice }));
  if (isRehearsal) {
    await rehearseGuard(deps, attempt, checked);
    return storeRows(deps, attempt, { rows, slices: checkedSlices });
  }
  const failure = await judgeBatch(deps, attempt, checked);
  if (failure) return refuseRows(deps, attempt, { rows, failure });
  const batch = await admitBatch(deps, attempt);
  if (!batch) return true;
  const admitted = { ...attempt, batch, repeated: attempt.repeated || batch.repeated };
  return storeRows(deps, admitted, { rows, slices: checkedSlices });
};

/** Checks all slices of a batch, and yields between them. */
const checkSlices = (slices: readonly Slice[]): Promise<readonly CheckedRows[]> =>
  mapLimited(slices, 1, async (slice) => {
    await nextTurn();
    return slice.check();
  });

/**
 * Stores the result of a batch that the guards refuse: none of its rows is stored. `false` when another worker has
 * admitted the batch in the meantime.
 */
const refuseRows = async (
  deps: BatchDeps,
  attempt: BatchAttempt,
  { rows, failure }: { readonly rows: readonly ParsedRow[]; readonly failure: FileFailure },
): Promise<boolean> => {
  const { code, message } = failure;
  const refused = rows.map((row) => refusedRow(row, [{ field: null, code, message }]));
  const errors = await storeReport(deps, attempt, 'errors', refused);
  const counts = { serialized: 0, unserializable: rows.length, completed: 0, failed: 0 };
  const result = {
    ...counts,
    errors,
    warnings: null,
    refusedBy: [...reasonsOf(refused)],
    warnedBy: [],
    lists: [],
    finished: deps.clock(),
  };
  return storeResult(deps, attempt, result, ({ admitted }) => admitted);
};

interface BatchRows {
  readonly rows: readonly ParsedRow[];
  readonly slices: readonly Slice[];
}

const storeRows = async (
  deps: BatchDeps,
  attempt: BatchAttempt,
  { rows, slices: unstored }: BatchRows,
): Promise<boolean> => {
  const { job } = attempt;
  const rehearsal = job.dryRun ? deps.rehearse(await deps.scopeOf(job.property)) : undefined;
  const slices = await processSlices(deps, attempt, unstored, rehearsal);
  await requestDrains(deps, attempt, slices);
  const refused = slices.flatMap((slice) => slice.refused);
  const failed = slices.flatMap((slice) => slice.failed);
  const warned = slices.flatMap((slice) => slice.warned);
  const serialized = rows.length - refused.length;
  const errors = [...refused, ...failed];
  const result = {
    serialized,
    unserializable: refused.length,
    completed: serialized - failed.length,
    failed: failed.length,
    errors: await storeReport(deps, attempt, 'errors', errors),
    warnings: await storeReport(deps, attempt, 'warnings', warned),
    refusedBy: [...reasonsOf(errors)],
    warnedBy: [...reasonsOf(warned)],
    lists: [...slices.map((slice) => slice.lists).reduce(sumListCells, [])],
    ...(rehearsal && {
      rehearsal: await storeRehearsed(deps, attempt, { rehearsal, warnings: warned.length }),
    }),
    finished: deps.clock(),
  };
  return storeResult(deps, attempt, result, () => !attempt.repeated);
};

/** Stores what a dry run found in its batch. Returns the key. */
const storeRehearsed = async (
  { work, segments }: BatchDeps,
  { job, batch, attemptId }: BatchAttempt,
  { rehearsal, warnings }: { readonly rehearsal: Rehearsal; readonly warnings: number },
): Promise<string> => {
  const found = await rehearsedBatchOf(segments, job.property, await rehearsal.findings(), warnings);
  return writeRehearsed(work, rehearsalKeyOf(job, batch.uuid, attemptId), found);
};

/**
 * Stores the result of a batch, unless another attempt has stored one. If another worker has changed the batch since,
 * `isOutdated` says whether the batch as it is now needs another attempt; the answer is `false` then.
 */
const storeResult = async (
  { imports, pause }: BatchDeps,
  { job, batch }: BatchAttempt,
  result: BatchResult,
  isOutdated: (present: Batch) => boolean,
): Promise<boolean> => {
  let seen = batch;
  return retryOnConflict({ pause, what: 'imports: a batch' }, async () => {
    if (await imports.finishBatch(job, seen, result)) return done(true);
    const present = await imports.batch(job.property, job.id, seen.uuid);
    if (!present || present.result) {
      if (present) await imports.countBatches(job, [present]);
      return done(true);
    }
    if (isOutdated(present)) return done(false);
    seen = present;
    return 'conflict';
  });
};

/** A batch as its message found it. */
interface QueuedBatch {
  readonly job: ImportJob;
  readonly batch: Batch;
  readonly definition: ImportDefinition;
}

/** Reads a batch with its job and its definition. Throws when one of them is missing. */
const readQueued = async (
  { imports }: Pick<BatchDeps, 'imports'>,
  { property, job: jobId, batch: uuid }: BatchMessage,
): Promise<QueuedBatch> => {
  const job = await imports.job(property, jobId);
  const batch = job && (await imports.batch(property, jobId, uuid));
  const definition = job && (await imports.definitionOfJob(job));
  if (!job || !batch || !definition)
    throw new Error('import: a queued batch, its job or its definition does not exist');
  return { job, batch, definition };
};

/**
 * Begins a batch; `undefined` when the batch has a result, or when its job was cancelled before any worker had begun
 * the batch. A worker finishes a batch that was begun, so that no batch stays half stored.
 */
const openAttempt = async (
  deps: BatchDeps,
  { job, batch, definition }: QueuedBatch,
): Promise<BatchAttempt | undefined> => {
  const { imports, ids } = deps;
  if (batch.result) {
    // The worker that stored the result may have died before it counted the batch.
    await imports.countBatches(job, [batch]);
    return undefined;
  }
  if (isBatchDropped(job, batch)) return undefined;
  const begun = await beginBatch(deps, job, batch);
  const present = begun && (await imports.job(job.property, job.id));
  if (!present) return undefined;
  // A cancellation before the mark wins: the client may already know that none of the rows is stored.
  const settled = await settleCancellation(deps, present);
  if (isBatchDropped(settled, begun.batch)) return undefined;
  return { job: settled, ...begun, definition, attemptId: ids.hex(8) };
};

/**
 * Marks the batch as begun and returns it; `undefined` when another worker has finished it. A worker that is not the
 * first marks the batch as repeated. The first worker then learns of the second one at the latest when it stores its
 * result. Each worker renews the time, by which the repair knows that the message is still alive.
 */
const beginBatch = async (
  { imports, clock, pause }: BatchDeps,
  job: ImportJob,
  batch: Batch,
): Promise<Pick<BatchAttempt, 'batch' | 'repeated'> | undefined> => {
  const first = batch.begun === null && (await imports.updateBatch(job, batch, { begun: clock() }));
  return retryOnConflict({ pause, what: 'imports: a batch' }, async () => {
    const begun = await imports.batch(job.property, job.id, batch.uuid);
    if (!begun || begun.result) return done(undefined);
    if (first) return done({ batch: begun, repeated: begun.repeated });
    // The first worker may admit the batch just now. Without the mark it would not learn of this one.
    const isMarked = await imports.updateBatch(job, begun, { repeated: true, begun: clock() });
    return isMarked ? done({ batch: begun, repeated: true }) : 'conflict';
  });
};

/**
 * Marks a batch as parked, so that its job ends and reports the rows. A redrive can still bring the result, which
 * counts.
 */
const parkBatch = async (
  { imports, clock }: BatchDeps,
  { property, job, batch: uuid }: BatchMessage,
): Promise<void> => {
  const batch = await imports.batch(property, job, uuid);
  if (batch && !batch.result) await imports.updateBatch({ property, id: job }, batch, { parked: clock() });
};

const requestDrains = async (
  deps: BatchDeps,
  { job, batch: { source, parked } }: BatchAttempt,
  slices: readonly SliceResult[],
): Promise<void> => {
  const ordinals = slices.flatMap((slice) => slice.ordinals);
  // The workflow of a file drains the rest. Batches of records have no workflow, and a parked batch outlives it.
  const drainsAlone = source.kind !== 'rows' || parked !== null;
  const groups = groupsOf(ordinals, drainsAlone ? CHUNKS_PER_GROUP : limits.imports.chunksDrainedAtOnce);
  if (groups.length > 0) await deps.requestDrains(job.property, groups);
};

/** Stores the report of this attempt in an object of its own. The result names the reports of the attempt that wins. */
const storeReport = async (
  { work }: BatchDeps,
  { job, batch, attemptId }: BatchAttempt,
  kind: ReportKind,
  rows: readonly ReportedRow[],
): Promise<string | null> =>
  rows.length === 0 ? null : writeReport(work, reportKeyOf(kind, job, batch.uuid, attemptId), rows);
