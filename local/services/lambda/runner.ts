/** Runner: invokes functions in sandboxes, and keeps a bounded number of idle sandboxes. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../core/service-error.ts';
import { type AsyncWaits, invokeAsync, SHORT_WAITS } from './async-queue.ts';
import { throttled, type Concurrency } from './concurrency.ts';
import type { Logs } from './logs.ts';
import { ASYNC_PAYLOAD_BYTES, SYNC_PAYLOAD_BYTES, type Outcome } from './outcome.ts';
import { FunctionPool } from './pool.ts';
import { ownThread, type NearGateway, type StartThread } from './thread.ts';

/** A function to run. `env` is complete: the variables of the template and of the runtime. */
export interface RunnableFunction {
  readonly name: string;
  readonly arn: string;
  /** File of the bundle and name of the exported handler. */
  readonly file: string;
  readonly exportName: string;
  readonly env: Readonly<Record<string, string>>;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  readonly logGroup: string;
  /** Least time from the start of a sandbox to its first invocation, in milliseconds. */
  readonly coldStartMs?: number;
  /**
   * Sandboxes at a time. Further invocations wait for one. Lambda has no such limit: it throttles instead, as this does when
   * there may be none.
   */
  readonly mostSandboxes: number;
  /** Starts its sandboxes. By default each has a thread of its own. */
  readonly startThread?: StartThread | undefined;
}

/** One finished invocation, for benches and tests. */
export interface Invocation {
  readonly functionName: string;
  readonly requestId: string;
  /** The payload of the invocation, as JSON. */
  readonly event: string;
  readonly milliseconds: number;
  readonly outcome: Outcome;
}

/** Whether to kill the worker of an invocation, and after how many milliseconds; undefined for not at all. */
export type Killer = (functionName: string) => number | undefined;

export interface RunnerOptions {
  readonly functions: readonly RunnableFunction[];
  readonly logs: Logs;
  readonly killer?: Killer;
  /** Throttles invocations. Without it, nothing is throttled. */
  readonly concurrency?: Concurrency;
  /** Waits between the attempts of an event. The default is short. */
  readonly asyncWaits?: AsyncWaits;
  /** Idle sandboxes of all functions together. The default suits a laptop: each costs about 30 MB. */
  readonly mostIdle?: number;
  /** The gateway, for JSON calls. Without it, all calls go over HTTP. */
  readonly gateway?: NearGateway;
  /** Called after every invocation. */
  readonly onInvocation?: (invocation: Invocation) => void;
  /** Called for every invocation that was refused, because its concurrency is used up. */
  readonly onThrottle?: (functionName: string) => void;
}

/** The runner ends sandboxes that have been idle for this long. */
const IDLE_MS = 60_000;
const REAP_EVERY_MS = 10_000;

/** Idle sandboxes that are kept by default. */
const MOST_IDLE = 8;

/** Builds the runner. It starts no sandbox before the first invocation. */
export const createRunner = (options: RunnerOptions) => {
  const functions = new Map(options.functions.map((fn) => [fn.name, { fn, pool: poolOf(fn, options) }]));
  const pools = [...functions.values()].map(({ pool }) => pool);
  const timer = setInterval(() => reap(pools, options.mostIdle ?? MOST_IDLE), REAP_EVERY_MS).unref();
  const invoke = async (name: string, payload: string): Promise<Outcome> => {
    const known = functions.get(name);
    if (!known) throw new ServiceError('ResourceNotFoundException', `Function not found: ${name}`, 404);
    refuseLarger(payload, SYNC_PAYLOAD_BYTES);
    const leave = admitted(options, known.fn);
    try {
      return await run(options, known, payload);
    } finally {
      leave?.();
    }
  };
  const ending = new AbortController();
  const pause = (ms: number): Promise<void> =>
    delay(ms, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
  return {
    /** Whether a function of this name exists. */
    has: (name: string): boolean => functions.has(name),
    /**
     * Invokes a function and waits for its result. Throws ServiceError when the function is unknown, the payload too
     * large, or no concurrency left.
     */
    invoke,
    /** Invokes a function with an event, like Lambda's asynchronous queue: up to three times, and again after throttles. */
    enqueue: async (name: string, payload: string): Promise<Outcome> => {
      refuseLarger(payload, ASYNC_PAYLOAD_BYTES);
      return invokeAsync(() => invoke(name, payload), options.asyncWaits ?? SHORT_WAITS, pause);
    },
    /** Starts a sandbox of a function, unless the function has an idle one. */
    warm: async (name: string) => functions.get(name)?.pool.warm(),
    /** Makes the next invocation of a function a cold start. Running invocations go on to their end. */
    recycle: (name: string) => functions.get(name)?.pool.recycle(),
    /** Running and waiting invocations. */
    running: (): number => pools.reduce((sum, pool) => sum + pool.running, 0),
    end: async () => {
      clearInterval(timer);
      ending.abort();
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
};

/** Runs functions. */
export type Runner = ReturnType<typeof createRunner>;

/** Admits an invocation. Returns the function that ends it. Throws Lambda's throttle. */
const admitted = (
  { concurrency, onThrottle }: RunnerOptions,
  { name, mostSandboxes }: RunnableFunction,
): (() => void) | undefined => {
  try {
    if (mostSandboxes === 0) throw throttled(true);
    return concurrency?.enter(name);
  } catch (error) {
    onThrottle?.(name);
    throw error;
  }
};

interface Known {
  readonly fn: RunnableFunction;
  readonly pool: FunctionPool;
}

const run = async (options: RunnerOptions, { fn, pool }: Known, payload: string): Promise<Outcome> => {
  const started = performance.now();
  const requestId = randomUUID();
  const job = { ...jobOf(fn), requestId, event: payload, traceId: `Root=1-${requestId}` };
  const outcome = await pool.invoke(job, (kill) => scheduleKill(options.killer, fn.name, kill));
  const milliseconds = performance.now() - started;
  options.onInvocation?.({ functionName: fn.name, requestId, event: payload, milliseconds, outcome });
  return outcome;
};

const poolOf = (fn: RunnableFunction, { logs, gateway }: RunnerOptions): FunctionPool =>
  new FunctionPool(
    {
      startup: { file: fn.file, exportName: fn.exportName },
      env: fn.env,
      memoryMb: fn.memoryMb,
      timeoutSeconds: fn.timeoutSeconds,
      coldStartMs: fn.coldStartMs ?? 0,
      log: (text) => logs.write(fn.name, text),
      gateway,
      startThread: fn.startThread ?? ownThread,
    },
    fn.mostSandboxes,
  );

const jobOf = (fn: RunnableFunction) => ({
  functionName: fn.name,
  functionArn: fn.arn,
  memoryMb: fn.memoryMb,
  logGroup: fn.logGroup,
});

/** Throws Lambda's RequestTooLargeException for a payload above the limit. */
export const refuseLarger = (payload: string, limit: number): void => {
  const bytes = Buffer.byteLength(payload);
  if (bytes <= limit) return;
  const message = `Request must be smaller than ${limit} bytes for the InvokeFunction operation`;
  throw new ServiceError('RequestTooLargeException', message, 413);
};

const scheduleKill = (killer: Killer | undefined, name: string, kill: () => void): void => {
  const milliseconds = killer?.(name);
  if (milliseconds !== undefined) setTimeout(kill, milliseconds).unref();
};

const reap = (pools: readonly FunctionPool[], mostIdle: number): void => {
  for (const pool of pools) pool.reap(Date.now() - IDLE_MS);
  let excess = pools.reduce((sum, pool) => sum + pool.waiting.count, 0) - mostIdle;
  const oldestFirst = pools.toSorted((left, right) => left.waiting.since - right.waiting.since);
  for (const pool of oldestFirst) {
    if (excess <= 0) return;
    excess -= pool.reap(Infinity, 1);
  }
};
