/**
 * Steps: counts the steps of executions in the ledger before they begin, so that work that ends the process is not taken up
 * again and again. Functions are threads of this process, so one that runs out of memory ends all of them.
 */
import type { Ledger } from './ledger.ts';
import { TaskFailure } from './tasks.ts';

/** A step that ended the process so often is not run again: it fails, and its execution goes on as after any failure. */
const MOST_CRASHES = 3;

/** The steps of the executions of a ledger. */
export const createSteps = (ledger: Ledger) => {
  const state = { isStopped: false };
  const isStopped = (): boolean => state.isStopped;
  let turn: Promise<unknown> = Promise.resolve();
  const counted = async (arn: string, name: string, step: () => Promise<unknown>): Promise<unknown> => {
    if (isStopped()) throw new TaskFailure('States.Runtime', 'The process stops.');
    ledger.mark(arn, [...(ledger.get(arn)?.steps ?? []), name]);
    try {
      return await step();
    } finally {
      if (!isStopped()) ledger.mark(arn, without(ledger.get(arn)?.steps ?? [], name));
    }
  };
  return {
    /** Runs a step; rejects with `Runtime.ExitError`, as Lambda does, for a step in which the process ended three times. */
    run: (arn: string, name: string, step: () => Promise<unknown>): Promise<unknown> => {
      const crashes = ledger.get(arn)?.crashes[name] ?? 0;
      if (crashes >= MOST_CRASHES) {
        return Promise.reject(
          new TaskFailure('Runtime.ExitError', `The process ended ${crashes} times in this step.`),
        );
      }
      if (crashes === 0) return counted(arn, name, step);
      // Of all steps in which the process ended, one ended it. They run one by one, so that the others lose no try with it.
      const mine = turn.then(() => counted(arn, name, step));
      turn = mine.catch(() => undefined);
      return mine;
    },
    /** Records that no step is under way, because the process stops in order. */
    stop: () => {
      state.isStopped = true;
      for (const { arn, steps } of ledger.all()) if (steps.length > 0) ledger.mark(arn, []);
    },
  };
};

/** Runs the steps of executions. */
export type Steps = ReturnType<typeof createSteps>;

/** The names without one occurrence of a name. */
const without = (names: readonly string[], name: string): readonly string[] => {
  const at = names.indexOf(name);
  return names.filter((_, index) => index !== at);
};
