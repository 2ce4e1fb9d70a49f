/** `judgeBatch`: judges a batch by the guards of its definition, before any of its records is stored. */
import type { SegmentIdentity } from '../../catalogue/types.ts';
import { DAY_MS } from '../../runtime/clock.ts';
import { done, retryOnConflict } from '../../runtime/retry.ts';
import { type BatchAttempt, type BatchDeps, acceptedRecord } from './process-slices.ts';
import type { ProfilePatch } from '../../profiles/profile-patch.ts';
import type { CheckedRows } from '../rows/check-records.ts';
import { fileFailure } from '../jobs/fail-import.ts';
import { changeJob } from '../repository/change-job.ts';
import type { Batch } from '../items/batch.ts';
import type { GuardFailure, JobGuard } from '../items/guard-items.ts';
import type { FileFailure } from '../items/import-job.ts';
import { canMove, moved } from '../items/transitions.ts';
import { examplesOf, refusedFault, type RefusedShare, segmentFault } from '../guards/guard-rules.ts';
import { segmentsOfRecord } from '../../ingest/record-segments.ts';
import { missingSegments, NewSegments } from '../guards/segment-set.ts';
import { sharedIdsFault } from '../guards/shared-ids.ts';

/** Remembers that the guard of ids would stop a job, for the result of its dry run. */
export const rehearseGuard = async (
  deps: BatchDeps,
  { job, definition }: BatchAttempt,
  checked: readonly CheckedRows[],
): Promise<void> => {
  const fault = sharedIdsFault(definition, patchesOf(checked));
  if (!fault) return;
  const { code, message } = fault;
  await deps.imports.changeGuard(job, ({ stopped }) => ({
    result: undefined,
    ...(stopped ? {} : { set: { stopped: { code, message } } }),
  }));
};

const patchesOf = (checked: readonly CheckedRows[]): readonly ProfilePatch[] =>
  checked.flatMap(({ valid }) => valid.map(({ patch }) => patch));

/**
 * Judges a batch. Returns the failure for which no record of the batch may be stored. The new segments of the batches
 * that a job admits in a day count together, because a job for batches may stay open for years: one conditional write
 * admits those of a batch, or stops the job. A stopped job accepts no batch and stores none that was not admitted
 * before. Corrected rows that exceed the guard are refused, and stop no job.
 */
export const judgeBatch = async (
  deps: BatchDeps,
  attempt: BatchAttempt,
  checked: readonly CheckedRows[],
): Promise<GuardFailure | undefined> => {
  const { job, batch, definition } = attempt;
  const isRetry = batch.source.kind === 'corrections';
  const tooMany = isRetry ? undefined : refusedFault(definition, await shareOf(deps, attempt, checked));
  const shared = tooMany ?? sharedIdsFault(definition, patchesOf(checked));
  const missing = shared ? [] : await newSegmentsOf(deps, attempt, checked);
  const now = deps.clock();
  const fault = await deps.imports.changeGuard(job, (seen) => {
    if (seen.stopped) return { result: fileFailure(seen.stopped.code, seen.stopped.message) };
    const begins = job.file === null && !isOfToday(seen, now);
    const counted = new NewSegments(begins ? { segments: none, examples: [] } : seen);
    const fresh = counted.add(missing);
    const examples = examplesOf(fresh);
    const failure = shared ?? segmentFault(definition, { count: counted.count, isExact: true, examples });
    if (!failure) {
      const set = { ...counted.stored, since: begins ? now : seen.since };
      return { result: undefined, ...(fresh.length > 0 && { set }) };
    }
    const { code, message } = failure;
    return { result: failure, ...(isRetry ? {} : { set: { stopped: { code, message } } }) };
  });
  if (fault && !isRetry) await stopJob(deps, attempt, fault);
  return fault;
};

const none = new Uint8Array(0);

/** Whether the count of a job for batches has begun less than a day ago. */
const isOfToday = ({ since }: JobGuard, now: number): boolean => since !== null && now - since < DAY_MS;

/**
 * Marks a judged batch as admitted. Returns the batch as it is then; `undefined` when another worker has stored its
 * result.
 */
export const admitBatch = (
  { imports, pause }: BatchDeps,
  { job, batch: { uuid } }: BatchAttempt,
): Promise<Batch | undefined> =>
  retryOnConflict({ pause, what: 'imports: a batch' }, async () => {
    const seen = await imports.batch(job.property, job.id, uuid);
    if (!seen || seen.result) return done(undefined);
    if (seen.admitted) return done(seen);
    await imports.updateBatch(job, seen, { admitted: true });
    return 'conflict';
  });

/** The share of refused rows of the finished batches of a job together with this batch. */
const shareOf = async (
  { imports }: BatchDeps,
  { job, definition }: BatchAttempt,
  checked: readonly CheckedRows[],
): Promise<RefusedShare> => {
  if (definition.max_refused_share === null) return { judged: 0, refused: 0 };
  const tallies = await imports.tallies(job.property, job.id);
  return {
    judged: sum([
      ...tallies.map(({ finishedRecords }) => finishedRecords),
      ...checked.map(({ valid, refused }) => valid.length + refused.length),
    ]),
    refused: sum([
      ...tallies.map(({ unserializable }) => unserializable),
      ...checked.map(({ refused }) => refused.length),
    ]),
  };
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** The segments that the records of a batch make and the property has not got. */
const newSegmentsOf = async (
  { segments, derivations, clock, scopeOf }: BatchDeps,
  attempt: BatchAttempt,
  checked: readonly CheckedRows[],
): Promise<readonly SegmentIdentity[]> => {
  const { property } = attempt.job;
  if (attempt.definition.max_new_segments === null) return [];
  const { rules } = await scopeOf(property);
  const { all } = await derivations.of(property);
  const context = { rules, now: clock(), derivations: all };
  const found = new Map<string, SegmentIdentity>();
  for (const { valid } of checked) {
    for (const row of valid) {
      for (const [key, identity] of segmentsOfRecord(acceptedRecord(attempt, row, false), context))
        found.set(key, identity);
    }
  }
  return missingSegments(segments, property, [...found.values()]);
};

const stopJob = async (deps: BatchDeps, { job }: BatchAttempt, failure: FileFailure): Promise<void> => {
  await changeJob(deps, { property: job.property, job: job.id }, (seen) =>
    canMove(seen, 'stop') ? { ...moved('stop'), failure, ended: deps.clock() } : undefined,
  );
};
