import * as v from 'valibot';
import { limits } from '../../shared/config/limits.ts';
import { importBatch } from '../../shared/imports/batches/import-batch.ts';
import { batchMessage } from '../../shared/imports/items/job-messages.ts';
import { Killed } from '../ingest/interleave.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { importHarness, type ImportHarness } from './import-harness.ts';

/** Far more operations than any scene has. */
const MOST_OPERATIONS = 500;

/** A harness in which an operation on the table or on an object may kill its caller, once. */
export const fragileHarness = () => {
  const plan = { at: 0, done: 0 };
  const strike = (): void => {
    plan.done += 1;
    if (plan.done === plan.at) throw new Killed();
  };
  return {
    harness: importHarness(new MemoryTable(strike), strike),
    /** The `nth` operation from now on kills its caller. */
    arm: (nth: number): void => {
      plan.at = plan.done + nth;
    },
    /** Kills nobody any more; whether the armed operation came. */
    disarm: (): boolean => {
      const wasKilled = plan.at > 0 && plan.done >= plan.at;
      plan.at = 0;
      return wasKilled;
    },
  };
};

/**
 * Plays a scene with a kill at the first operation, at the second and so on, until the scene ends before its kill. A
 * scene arms its harness with `nth`, and returns what `disarm` returns. The answer is the number of kills.
 */
export const killedAtEach = async (scene: (nth: number) => Promise<boolean>): Promise<number> => {
  for (let nth = 1; nth < MOST_OPERATIONS; nth += 1) if (!(await scene(nth))) return nth - 1;
  throw new Error('the scene never ends before its kill');
};

/** Runs a step until it is through, as its queue or workflow does. `attempt` starts at 1. */
export const untilThrough = async <T>(step: (attempt: number) => Promise<T>): Promise<T> => {
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    try {
      return await step(attempt);
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }
  throw new Error('never got through');
};

/** Works off the queue of batches; the batch of a killed worker is delivered again. */
export const importQueued = async ({ deps, batches }: ImportHarness): Promise<void> => {
  for (const body of batches.takeBodies())
    await untilThrough((attempt) =>
      importBatch(deps, v.parse(batchMessage, body), () => attempt >= limits.queues.maxReceiveCount),
    );
};
