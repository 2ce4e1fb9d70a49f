import { limits } from '../../config/limits.ts';
import { manyRounds, nextRound } from '../../runtime/retry.ts';
import { groupsOf } from '../../membership/drain.ts';
import { CHUNKS_PER_GROUP } from '../../table/keys.ts';
import type { Batch, BatchResult, ImportJob } from '../model/job.ts';
import { fixCancelled } from '../jobs/fix-cancelled.ts';
import { isCancelled } from '../jobs/progress.ts';
import type { BatchMessage } from '../model/messages.ts';
import { type ReportKind, reportKeyOf } from '../model/object-keys.ts';
import { parkBatch } from './park-batch.ts';
import { readCandidates } from './read-candidates.ts';
import type { ReportedRow } from '../reports/reported-row.ts';
import { writeReport } from '../reports/reports.ts';
import { type Slice, workOffSlices } from './work-off-slices.ts';
import type { BatchDeps, Work } from './batch-work.ts';

/**
 * Works off one batch: reads, maps, judges and stores its records, then writes its result, once. Every step can be
 * repeated: a second delivery stores the same values with the same stamps, and only one result counts. What it throws is
 * a matter for another delivery; the last one (`attempt` counts them from 1) parks the batch.
 */
export const processBatch = async (deps: BatchDeps, message: BatchMessage, attempt = 1): Promise<void> => {
  try {
    await workOff(deps, message);
  } catch (error) {
    // What cannot be parked now either is parked by the repair.
    if (attempt >= limits.queues.maxReceiveCount) await parkBatch(deps, message).catch(() => undefined);
    throw error;
  }
};

const workOff = async (deps: BatchDeps, message: BatchMessage): Promise<void> => {
  const work = await openWork(deps, message);
  // Others who stored some of its rows first took their warnings: now they are told again.
  if (work && !(await finish(deps, work)))
    await finish(deps, { ...work, attempt: deps.ids.hex(8), again: true });
};

/** Makes an attempt and gives the batch its result; `false` when that takes another, as one that comes after others. */
const finish = async (deps: BatchDeps, work: Work): Promise<boolean> => {
  const candidates = await readCandidates(deps, work);
  const slices = await workOffSlices(deps, work, candidates);
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
  work: Work,
  result: BatchResult,
): Promise<boolean> => {
  const { job, again } = work;
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
const openWork = async (deps: BatchDeps, message: BatchMessage): Promise<Work | undefined> => {
  const { imports, ids } = deps;
  const { property, job: jobId, batch: uuid } = message;
  const job = await imports.job(property, jobId);
  const batch = job && (await imports.batch(property, jobId, uuid));
  const definition = job && (await imports.definitionOfJob(job));
  if (!job || !batch || !definition)
    throw new Error('import: a queued batch, its job or definition is not there');
  if (batch.result || isCancelled(job, batch)) return undefined;
  const begun = await begin(deps, job, batch);
  const present = begun && (await imports.job(property, jobId));
  if (!present) return undefined;
  // Cancelled before the note that it was begun: the client may know already that none of its rows is stored.
  const fixed = await fixCancelled(deps, present);
  if (isCancelled(fixed, begun.batch)) return undefined;
  return { job: fixed, ...begun, definition, attempt: ids.hex(8) };
};

/**
 * The batch with the note that it has been begun; `undefined` when another worker has finished it meanwhile. Who is not the
 * first to begin it notes that too, so that the first one learns of it at its end at the latest.
 */
const begin = async (
  { imports, clock }: BatchDeps,
  job: ImportJob,
  batch: Batch,
): Promise<Pick<Work, 'batch' | 'again'> | undefined> => {
  const first = batch.begun === null && (await imports.noteBatch(job, batch, { begun: clock() }));
  const begun = await imports.batch(job.property, job.id, batch.uuid);
  if (!begun || begun.result) return undefined;
  if (!first && !begun.repeated) await imports.noteBatch(job, begun, { repeated: true });
  return { batch: begun, again: !first || begun.repeated };
};

const requestDrainsOf = async (deps: BatchDeps, work: Work, slices: readonly Slice[]): Promise<void> => {
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
  { job, batch, attempt }: Work,
  kind: ReportKind,
  rows: readonly ReportedRow[],
): Promise<string | null> => writeReport(work, reportKeyOf(kind, job, batch.uuid, attempt), rows);
