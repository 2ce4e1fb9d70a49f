/** Sandbox: runs one function in a thread, one invocation at a time, with Lambda's memory limit and timeout. */
import { setTimeout as delay } from 'node:timers/promises';
import { exceeds } from './memory.ts';
import { exited, outOfMemory, timedOut, withinLimit, type Outcome } from './outcome.ts';
import type { Job, Report } from './protocol.ts';
import type { StartThread, Thread, ThreadEnd, ThreadOptions } from './thread.ts';

export interface SandboxOptions extends ThreadOptions {
  readonly startThread: StartThread;
  readonly timeoutSeconds: number;
  /** Least time of a start. As in Lambda, it does not count against the timeout. */
  readonly coldStartMs: number;
  /** Receives the output of the function to stdout and stderr. */
  readonly log: (text: string) => void;
}

/**
 * A bundle that takes longer to load is broken. The loading time does not count against the timeout of the function.
 */
const INIT_MS = 30_000;

/** The pending event of the sandbox: the start of its worker, or the end of an invocation. */
interface Waiting {
  readonly requestId: string;
  readonly settle: (outcome: Outcome) => void;
}

const STARTED: Outcome = { ok: true, payload: '' };

/** One function, one invocation at a time. An ended sandbox cannot be used again. */
export class Sandbox {
  private readonly options: SandboxOptions;
  private thread: Thread | undefined;
  private loading: Promise<Outcome> | undefined;
  private waiting: Waiting | undefined;
  private ended = false;

  constructor(options: SandboxOptions) {
    this.options = options;
  }

  /** False after a timeout, a crash or `end`. */
  get usable(): boolean {
    return !this.ended;
  }

  /** Starts the thread and loads the function, once. A sandbox whose function did not load is not usable. */
  load(requestId: string): Promise<Outcome> {
    this.loading ??= this.slowed(
      this.wait(requestId, INIT_MS, () => {
        this.thread = this.options.startThread(this.options, {
          heard: (report) => this.heard(report),
          ended: (cause) => this.crashed(cause),
        });
      }),
    );
    return this.loading;
  }

  /**
   * Runs one invocation, and starts the thread first if necessary. Calls `onStart` when the handler starts. Never
   * throws: each failure is an outcome.
   */
  async invoke(job: Omit<Job, 'deadline'>, onStart: () => void): Promise<Outcome> {
    const start = await this.load(job.requestId);
    if (!start.ok) return start;
    const milliseconds = this.options.timeoutSeconds * 1000;
    const unwatch = this.thread?.watch((bytes) => {
      if (exceeds(bytes, this.options.memoryMb)) this.killForMemory();
    });
    const outcome = await this.wait(job.requestId, milliseconds, () => {
      onStart();
      this.thread?.invoke({ ...job, deadline: Date.now() + milliseconds });
    });
    unwatch?.();
    return withinLimit(outcome);
  }

  private killForMemory(): void {
    this.finish(outOfMemory);
    void this.thread?.end();
  }

  private async slowed(start: Promise<Outcome>): Promise<Outcome> {
    const { coldStartMs } = this.options;
    if (coldStartMs > 0) await delay(coldStartMs, undefined, { ref: false });
    return start;
  }

  /** Ends the thread, even during an invocation. A frozen thread does not thaw. */
  async end(): Promise<void> {
    this.finish((requestId) => exited(requestId, 'signal: killed'));
    await this.thread?.end();
  }

  private async wait(requestId: string, milliseconds: number, act: () => void): Promise<Outcome> {
    if (this.ended) return exited(requestId, 'signal: killed');
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const timer = setTimeout(() => {
      this.finish(() => timedOut(requestId, milliseconds / 1000));
      void this.thread?.end();
    }, milliseconds);
    this.waiting = { requestId, settle: resolve };
    act();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.waiting = undefined;
    }
  }

  private finish(outcome: (requestId: string) => Outcome): void {
    this.ended = true;
    if (this.waiting) this.waiting.settle(outcome(this.waiting.requestId));
  }

  private heard(report: Report): void {
    if (report.kind === 'output') {
      this.options.log(report.text);
    } else if (report.kind === 'broken') {
      this.finish(() => ({ ok: false, failure: report.failure }));
      void this.thread?.end();
    } else if (report.kind === 'ready') {
      this.waiting?.settle(STARTED);
    } else if (exceeds(report.memory, this.options.memoryMb)) {
      this.killForMemory();
    } else {
      this.waiting?.settle(
        report.kind === 'failed'
          ? { ok: false, failure: report.failure }
          : { ok: true, payload: report.payload },
      );
    }
  }

  private crashed(cause: ThreadEnd): void {
    if ('code' in cause) this.finish((requestId) => exited(requestId, `exit status ${cause.code}`));
    else if (isOutOfMemory(cause.error)) this.finish(outOfMemory);
    else this.finish((requestId) => exited(requestId, messageOf(cause.error)));
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
