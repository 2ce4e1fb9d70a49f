import { limits } from '../../config/limits.ts';
import { manyRounds, nextRound } from '../../runtime/retry.ts';
import { groupsOf } from '../../membership/drain.ts';
import { CHUNKS_PER_GROUP } from '../../table/keys.ts';
import type { Batch, BatchResult, ImportJob } from '../model/job.ts';
import { settleCancellation } from '../jobs/fix-cancelled.ts';
import { isBatchCancelled } from '../jobs/progress.ts';
import type { BatchMessage } from '../model/messages.ts';
import { type ReportKind, reportKeyOf } from '../model/object-keys.ts';
import { parkBatch } from './park-batch.ts';
import { readBatchRows } from './read-candidates.ts';
import type { ReportedRow } from '../reports/reported-row.ts';
import { writeReport } from '../reports/reports.ts';
import { type SliceResult, processSlices } from './work-off-slices.ts';
import type { BatchDeps, BatchAttempt } from './batch-work.ts';

/**
 * Works off one batch: reads, maps, judges and stores its records, then writes its result, once. Every step can be
 * repeated: a second delivery stores the same values with the same stamps, and only one result counts. What it throws is
 * a matter for another delivery; the last one (`attempt` counts them from 1) parks the batch.
 */
export const importBatch = async (deps: BatchDeps, message: BatchMessage, attempt = 1): Promise<void> => {
  try {
    await runBatch(deps, message);
  } catch (error) {
    // What cannot be parked now either is parked by the repair.
    if (attempt >= limits.queues.maxReceiveCount) await parkBatch(deps, message).catch(() => undefined);
    throw error;
  }
};

const runBatch = async (deps: BatchDeps, message: BatchMessage): Promise<void> => {
  const work = await openWork(deps, message);
  // Others who stored some of its rows first took their warnings: now they are told again.
  if (work && !(await finish(deps, work)))
    await finish(deps, { ...work, attemptId: deps.ids.hex(8), repeated: true });
};

/** Makes an attempt and gives the batch its result; `false` when that takes another, as one that comes after others. */
const finish = async (deps: BatchDeps, work: BatchAttempt): Promise<boolean> => {
  const candidates = await readBatchRows(deps, work);
  const slices = await processSlices(deps, work, candidates);
  await requestDrainsOf(deps, work, slices);
  const refused = slices.flatMap((slice) => slice.refused);
  const failed = slices.flatMap((slice) => slice.failed);
  const warned = slices.flatMap((slice) => slice.warned);
  const serialized = candidates.length - refused.length;
  const counts = {
    serialized,
    unserializable: refused.length,
    completed: serialized - failed.length,
    failed: failed.length,
  };
  const errors = await report(deps, work, 'errors', [...refused, ...failed]);
  const warnings = await report(deps, work, 'warnings', warned);
  const result: BatchResult = { ...counts, errors, warnings, finished: deps.clock() };
  return keepResult(deps, work, result);
};

const keepResult = async (
  { imports, pause }: BatchDeps,
  work: BatchAttempt,
  result: BatchResult,
): Promise<boolean> => {
  const { job, repeated: again } = work;
  let seen = work.batch;
  for (let round = 0; ; round += 1) {
    await nextRound(pause, round, manyRounds, 'imports: a batch');
    if (await imports.finishBatch(job, seen, result)) return true;
    const present = await imports.batch(job.property, job.id, seen.uuid);
    // Losing to another attempt: its result stands, and it says the same.
    if (!present || present.result) return true;
    if (!again) return false;
    seen = present;
  }
};

/**
 * What there is to do; `undefined` when the batch has its result, or was cancelled before anybody had begun it. What has
 * been begun is finished, so that no batch is left half stored. Throws when something is missing that must be there.
 */
const openWork = async (deps: BatchDeps, message: BatchMessage): Promise<BatchAttempt | undefined> => {
  const { imports, ids } = deps;
  const { property, job: jobId, batch: uuid } = message;
  const job = await imports.job(property, jobId);
  const batch = job && (await imports.batch(property, jobId, uuid));
  const definition = job && (await imports.definitionOfJob(job));
  if (!job || !batch || !definition)
    throw new Error('import: a queued batch, its job or definition is not there');
  if (batch.result || isBatchCancelled(job, batch)) return undefined;
  const begun = await begin(deps, job, batch);
  const present = begun && (await imports.job(property, jobId));
  if (!present) return undefined;
  // Cancelled before the note that it was begun: the client may know already that none of its rows is stored.
  const fixed = await settleCancellation(deps, present);
  if (isBatchCancelled(fixed, begun.batch)) return undefined;
  return { job: fixed, ...begun, definition, attemptId: ids.hex(8) };
};

/**
 * The batch with the note that it has been begun; `undefined` when another worker has finished it meanwhile. Who is not the
 * first to begin it notes that too, so that the first one learns of it at its end at the latest.
 */
const begin = async (
  { imports, clock }: BatchDeps,
  job: ImportJob,
  batch: Batch,
): Promise<Pick<BatchAttempt, 'batch' | 'repeated'> | undefined> => {
  const first = batch.begun === null && (await imports.updateBatch(job, batch, { begun: clock() }));
  const begun = await imports.batch(job.property, job.id, batch.uuid);
  if (!begun || begun.result) return undefined;
  if (!first && !begun.repeated) await imports.updateBatch(job, begun, { repeated: true });
  return { batch: begun, repeated: !first || begun.repeated };
};

const requestDrainsOf = async (
  deps: BatchDeps,
  work: BatchAttempt,
  slices: readonly SliceResult[],
): Promise<void> => {
  const groups = groupsOf(
    slices.flatMap(({ ordinals }) => ordinals),
    isSettledApart(work.batch) ? CHUNKS_PER_GROUP : limits.imports.chunksDrainedAtOnce,
  );
  if (groups.length > 0) await deps.requestDrains(work.job.property, groups);
};

/** Whether the workflow of a file will not drain what a batch leaves: there is none, or it is over. */
const isSettledApart = ({ source, parked }: Batch): boolean => source.kind !== 'rows' || parked !== null;

/** Keeps what is told of rows by this attempt in an object of its own; the result names the winner's. */
const report = (
  { work }: BatchDeps,
  { job, batch, attemptId: attempt }: BatchAttempt,
  kind: ReportKind,
  rows: readonly ReportedRow[],
): Promise<string | null> => writeReport(work, reportKeyOf(kind, job, batch.uuid, attempt), rows);
