import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jobPhases, type ImportJob } from '../../shared/imports/items/import-job.ts';
import { type Batch } from '../../shared/imports/items/batch.ts';
import { progressOf, totalsOf } from '../../shared/imports/jobs/job-progress.ts';
import { counted, emptyTally } from '../../shared/imports/counting/tally.ts';
import { isBatchCancelled } from '../../shared/imports/jobs/cancellation.ts';
import { newBatch } from './new-batch.ts';

const jobIn = (phase: ImportJob['phase']): ImportJob => ({
  w: 'w',
  id: 1,
  property: 1,
  import: 1,
  revision: 0,
  name: 'job',
  created: 1,
  dryRun: false,
  dryRunResult: null,
  phase,
  finishing: null,
  unterminated: null,
  remarks: [],
  arrived: null,
  started: null,
  ended: phase === 'failed' || phase === 'split' ? 90 : null,
  file: null,
  source: null,
  proof: null,
  layout: null,
  tier: null,
  splitCursor: null,
  failure: null,
  watched: null,
  announced: null,
  final: null,
  undo: null,
});

const progressIn = (phase: ImportJob['phase'], batches: readonly Batch[], visible: boolean) =>
  progressOf(jobIn(phase), totalsOf(jobIn(phase), talliesOf(batches)), visible);

/** The batches of a test have no slots: each gets a tally of its own. */
const talliesOf = (batches: readonly Batch[]) => ({
  tallies: batches.map((batch) => ({ ...counted(emptyTally, batch), name: 'R00000000' })),
  finishing: [],
});

const batchOf = (records: number, result: Batch['result']): Batch => newBatch({ records, result });

const done = (unserializable: number, failed: number, completed: number): Batch =>
  batchOf(unserializable + failed + completed, {
    serialized: failed + completed,
    unserializable,
    completed,
    failed,
    errors: null,
    warnings: null,
    refusedBy: [],
    warnedBy: [],
    lists: [],
    finished: 50,
  });
const waiting = batchOf(7, null);

describe('a batch', () => {
  const cancelled = { phase: 'cancelled' as const, finishing: ['begun'] };
  const named = (uuid: string): Batch => ({ ...waiting, uuid });

  it('is cancelled with its job, unless a worker had begun it', () => {
    expect(isBatchCancelled(cancelled, named('new'))).toBe(true);
    expect(isBatchCancelled(cancelled, named('begun'))).toBe(false);
    expect(isBatchCancelled({ ...cancelled, phase: 'split' as const }, named('new'))).toBe(false);
  });

  it('is cancelled when all workers have given up on it', () => {
    expect(isBatchCancelled(cancelled, { ...named('begun'), parked: 5 })).toBe(true);
  });

  it('is not cancelled before it is known which batches are being finished', () => {
    expect(isBatchCancelled({ ...cancelled, finishing: null }, { ...named('new'), parked: 5 })).toBe(false);
  });
});

describe('status of a job', () => {
  const rows: [ImportJob['phase'], Batch[], boolean, string][] = [
    ['open', [], true, 'unknown'],
    ['open', [waiting], true, 'ingestion-complete'],
    ['open', [waiting, done(0, 0, 3)], true, 'processing'],
    ['open', [done(0, 0, 3)], false, 'processing'],
    ['open', [done(0, 0, 3)], true, 'complete'],
    ['open', [done(1, 0, 3)], true, 'complete-with-errors'],
    ['open', [done(0, 1, 3)], true, 'complete-with-errors'],
    ['awaiting', [], true, 'unknown'],
    ['started', [], true, 'ingesting'],
    ['readable', [], true, 'ingesting'],
    ['readable', [done(0, 0, 3)], true, 'ingesting'],
    ['split', [], true, 'complete'],
    ['split', [], false, 'processing'],
    ['split', [waiting], true, 'ingestion-complete'],
    ['split', [waiting, done(0, 0, 3)], true, 'processing'],
    ['split', [done(0, 0, 3)], true, 'complete'],
    ['split', [done(2, 0, 3)], true, 'complete-with-errors'],
    ['failed', [done(0, 0, 3)], true, 'failed'],
    ['failed', [waiting], false, 'failed'],
    ['cancelled', [waiting], true, 'cancelled'],
  ];
  it.each(rows)('%s with %j, visible %s: %4$s', (phase, batches, visible, expected) => {
    expect(progressIn(phase, batches, visible).status).toBe(expected);
  });

  it('ends with its last batch, and has begun with its first', () => {
    const progress = progressIn('open', [done(0, 0, 3)], true);
    expect(progress).toMatchObject({ started: 10, finished: 50 });
    expect(progressIn('open', [waiting], true)).toMatchObject({
      started: 10,
      finished: null,
    });
    expect(progressIn('split', [], true)).toMatchObject({ finished: 90 });
  });
});

describe('counts of a job', () => {
  const anyBatch = fc.oneof(
    fc.nat(10_000).map((records) => batchOf(records, null)),
    fc.tuple(fc.nat(4_096), fc.nat(4_096), fc.nat(4_096)).map((counts) => done(...counts)),
  );

  it('add up at every moment', () => {
    fc.assert(
      fc.property(
        fc.array(anyBatch),
        fc.constantFrom(...jobPhases),
        fc.boolean(),
        (batches, phase, visible) => {
          const progress = progressIn(phase, batches, visible);
          expect(progress.ingested).toBe(progress.serialized + progress.unserializable);
          expect(progress.serialized).toBe(progress.processing + progress.completed + progress.failed);
          for (const { records } of batches) expect(records).toBeLessThanOrEqual(progress.ingested);
        },
      ),
    );
  });
});
