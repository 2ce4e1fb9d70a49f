import { expect, it } from 'vitest';
import { MemoryTable } from '../support/memory-table.ts';
import { SideBySide, type Disturbed } from './steps.ts';
import { casesOf } from '../support/scale.ts';

/** The output of a failure replays it: `STEPS_SEED=… STEPS=…`. */
const SEED = Number(process.env['STEPS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const STEPS = casesOf('STEPS', { full: 10_000, sample: 1_000 });

/** A table on which calls fail before or after they were carried out, and processes end between two writes. */
const failingTable = (): Disturbed => {
  let left = Number.POSITIVE_INFINITY;
  const table = new MemoryTable(() => {
    left -= 1;
    if (left < 0) throw new Error('the table does not answer');
  });
  return {
    table,
    failAfter: (calls = Number.POSITIVE_INFINITY) => {
      left = calls;
    },
  };
};

it('pages, counts, trees and combinations agree with a plain model through all steps and failures', async () => {
  const harness = new SideBySide(failingTable(), SEED);
  for (let step = 1; step <= STEPS; step += 1)
    await harness.step().catch((error: unknown) => {
      throw new Error(`STEPS_SEED=${SEED} STEPS=${step} replays this`, { cause: error });
    });
  await harness.compare();
  process.stdout.write(`${STEPS} steps, seed ${SEED}: ${JSON.stringify(harness.counts)}\n`);
  for (const name of ['record', 'batch', 'redelivery', 'forget', 'custom', 'comparison', 'failure'])
    expect(harness.counts[name] ?? 0).toBeGreaterThan(STEPS / 100);
}, 600_000);
