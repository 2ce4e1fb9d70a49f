/**
 * Deadline: ends the outgoing calls of an invocation in time, and is passed on through `await` by async context
 * (deadline propagation).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { UnavailableError } from './aws-errors.ts';
import { type Clock, systemClock } from './clock.ts';

const current = new AsyncLocalStorage<Deadline>();

/** The end of the calls of some work: `until` (epoch milliseconds of `clock`). */
export interface DeadlineTime {
  readonly clock: Clock;
  readonly until: number;
}

/**
 * The deadline of some work. No outgoing call starts after it. Lambda freezes a function that has answered and
 * may thaw it hours later, beside the next request of the same process. So the deadline belongs to the work and
 * follows it through every `await`. Deadlines nest: a call must meet all of them.
 */
export class Deadline {
  readonly #time: DeadlineTime;
  readonly #outer: Deadline | undefined;
  readonly #closing = new AbortController();
  readonly #signal: AbortSignal;
  #throttledSince: number | undefined;
  #units = 0;

  /** `outer` is the enclosing deadline; an invocation of a function has none. */
  constructor(time: DeadlineTime, outer?: Deadline) {
    this.#time = time;
    this.#outer = outer;
    const own = this.#closing.signal;
    this.#signal = outer ? AbortSignal.any([own, outer.signal]) : own;
  }

  /**
   * Aborted when this deadline or an enclosing one closes. Reaching `until` does not abort a call that was sent before.
   */
  get signal(): AbortSignal {
    return this.#signal;
  }

  /** Whether calls are no longer allowed. */
  get isOver(): boolean {
    const { clock, until } = this.#time;
    return this.#signal.aborted || clock() >= until || this.#outer?.isOver === true;
  }

  /** Whether a table throttled a call of the work so far. */
  get wasThrottled(): boolean {
    return this.#throttledSince !== undefined;
  }

  /** Milliseconds since a table first throttled a call of the work; 0 if none did. */
  get throttledMilliseconds(): number {
    return this.#throttledSince === undefined ? 0 : this.#time.clock() - this.#throttledSince;
  }

  /** Records a throttle, for the enclosing work as well. */
  noteThrottle(): void {
    this.#throttledSince ??= this.#time.clock();
    this.#outer?.noteThrottle();
  }

  /** The request units that tables have served to the work so far. */
  get units(): number {
    return this.#units;
  }

  /** Adds units, to the enclosing work as well. */
  noteUnits(units: number): void {
    this.#units += units;
    this.#outer?.noteUnits(units);
  }

  /** Runs work under this deadline, and closes the deadline when the work has ended. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return current.run(this, async () => {
      try {
        return await work();
      } finally {
        this.close();
      }
    });
  }

  /** Ends the work now: aborts calls under way, and lets no further call start. */
  close(): void {
    this.#closing.abort(closed);
  }
}

/**
 * Runs a part of the running work under its own deadline. Throws `UnavailableError` when that deadline has
 * passed already.
 */
export const withDeadline = async <T>(time: DeadlineTime, work: () => Promise<T>): Promise<T> => {
  const deadline = new Deadline(time, current.getStore());
  if (deadline.isOver) throw over();
  return deadline.run(work);
};

/**
 * Runs a part of the running work for at most this many milliseconds. Then aborts its calls, even those under
 * way, and throws `UnavailableError`, although the running work still has time.
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

/** Whether the deadline of the running work has passed. */
export const isDeadlineOver = (): boolean => current.getStore()?.isOver === true;

/**
 * Records that a table throttled a call of the running work. The work may then fail for want of time, wherever it is at
 * the time; its handler must know that the cause was the load.
 */
export const noteThrottle = (): void => current.getStore()?.noteThrottle();

/**
 * Throws `UnavailableError` when a table throttled the running work so many milliseconds ago: it is busy with other work, and
 * who goes on asking holds an execution and takes the units that come free.
 */
export const checkThrottledTime = (most: number): void => {
  if ((current.getStore()?.throttledMilliseconds ?? 0) > most)
    throw new UnavailableError(`a table has throttled this work for ${most} ms`);
};

/** Whether a table throttled a call of the running work. */
export const wasThrottled = (): boolean => current.getStore()?.wasThrottled === true;

/** Records request units that a table served to the running work. */
export const noteUnits = (units: number): void => current.getStore()?.noteUnits(units);

/** The request units that tables have served to the running work so far. */
export const unitsOfWork = (): number => current.getStore()?.units ?? 0;

/** Throws `UnavailableError` when the deadline of the running work has passed. */
export const checkDeadline = (): void => {
  if (isDeadlineOver()) throw over();
};

/**
 * Makes one outgoing call within the deadline of the running work. Every sender of the service uses this
 * function, once per attempt. `call` gets the abort signal. Throws `UnavailableError` when the deadline has
 * passed, or closes before the answer arrives.
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

/** The reason of every abort. An error of its own for each request would take 4 % of a lookup. */
const closed = over();

/** The part of Lambda's context that the service uses; a test may leave it out. */
export interface LambdaContext {
  readonly getRemainingTimeInMillis?: () => number;
}

/** A handler as Lambda calls it. */
type Handler<Event, Answer> = (event: Event, context?: LambdaContext) => Promise<Answer>;

/** The end of an invocation on `clock`; never when the context does not say (tests). */
export const endOf = ({ getRemainingTimeInMillis }: LambdaContext, clock: Clock): number =>
  getRemainingTimeInMillis ? clock() + getRemainingTimeInMillis() : Number.POSITIVE_INFINITY;

/**
 * The work of a function ends so long before Lambda's time-out. An attempt of a call under way takes up to 10 s; the rest
 * is for telling the outcome: an answer to the workflow, or messages given back to their queue.
 */
export const LAST_MILLISECONDS = 15_000;

/**
 * Ends the calls of each invocation with the invocation: when Lambda's time is over, and when the handler has returned.
 * `margin` milliseconds of that time are kept back.
 */
export const withinInvocation =
  <Event, Answer>(
    handle: (event: Event, context: LambdaContext) => Promise<Answer>,
    clock: Clock = systemClock,
    margin = 0,
  ): Handler<Event, Answer> =>
  (event, context = {}) =>
    new Deadline({ clock, until: endOf(context, clock) - margin }).run(() => handle(event, context));
