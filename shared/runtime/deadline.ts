import { AsyncLocalStorage } from 'node:async_hooks';
import { UnavailableError } from './aws-errors.ts';
import type { Clock } from './clock.ts';

const current = new AsyncLocalStorage<Deadline>();

/** When the calls of some work end: at `until` (epoch milliseconds of `clock`). */
export interface DeadlineTime {
  readonly clock: Clock;
  readonly until: number;
}

/**
 * The end of some work. No call to the outside goes out after it. Lambda freezes a function that has answered and may thaw it
 * hours later, beside the next request of the same process; so the deadline belongs to the work, and travels with it through
 * every `await`. Deadlines nest: a call must be in time for all of them.
 */
export class Deadline {
  readonly #time: DeadlineTime;
  readonly #outer: Deadline | undefined;
  readonly #closing = new AbortController();
  readonly #signal: AbortSignal;

  /** `outer` is the deadline that this one lies within; an invocation of a function has none. */
  constructor(time: DeadlineTime, outer?: Deadline) {
    this.#time = time;
    this.#outer = outer;
    const own = this.#closing.signal;
    this.#signal = outer ? AbortSignal.any([own, outer.signal]) : own;
  }

  /** Aborted when this deadline or one around it closes. Reaching `until` does not abort a call that was sent before. */
  get signal(): AbortSignal {
    return this.#signal;
  }

  /** Whether calls are no longer allowed. */
  get isOver(): boolean {
    const { clock, until } = this.#time;
    return this.#signal.aborted || clock() >= until || this.#outer?.isOver === true;
  }

  /** Runs work whose calls this deadline ends, and closes when the work has ended. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return current.run(this, async () => {
      try {
        return await work();
      } finally {
        this.close();
      }
    });
  }

  /** Ends the work now: calls under way are aborted, and no further call goes out. */
  close(): void {
    this.#closing.abort(over());
  }
}

/**
 * Runs a part of the running work under a deadline of its own. Throws `UnavailableError` when that deadline is over already.
 */
export const withDeadline = async <T>(time: DeadlineTime, work: () => Promise<T>): Promise<T> => {
  const deadline = new Deadline(time, current.getStore());
  if (deadline.isOver) throw over();
  return deadline.run(work);
};

/**
 * Runs a part of the running work for so many milliseconds at most. Then ends its calls, even those under way, and throws
 * `UnavailableError`, although the running work still has time.
 */
export const withinMilliseconds = async <T>(
  clock: Clock,
  milliseconds: number,
  work: () => Promise<T>,
): Promise<T> => {
  const deadline = new Deadline({ clock, until: clock() + milliseconds }, current.getStore());
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      deadline.close();
      reject(over());
    }, milliseconds);
  });
  try {
    return await Promise.race([deadline.run(work), late]);
  } finally {
    clearTimeout(timer);
  }
};

/** Whether the deadline of the running work is over. */
export const isDeadlineOver = (): boolean => current.getStore()?.isOver === true;

/** Throws `UnavailableError` when the deadline of the running work is over. */
export const checkDeadline = (): void => {
  if (isDeadlineOver()) throw over();
};

/**
 * Makes one call to the outside within the deadline of the running work. Every sender of the service goes through here, once
 * for each attempt. `call` gets the signal on which it must stop. Throws `UnavailableError` when the deadline is over, or
 * closes before the answer has come.
 */
export const callInTime = async <T>(call: (signal: AbortSignal | undefined) => Promise<T>): Promise<T> => {
  checkDeadline();
  const signal = current.getStore()?.signal;
  try {
    return await call(signal);
  } catch (error) {
    throw signal?.aborted === true ? over() : error;
  }
};

const over = (): UnavailableError => new UnavailableError('the time for this work is over');
