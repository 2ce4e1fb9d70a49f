/** Sandbox: runs one function in one worker thread, with Lambda's memory limit, timeout and freeze. */
import { setTimeout as delay } from 'node:timers/promises';
import { Worker, type MessagePort } from 'node:worker_threads';
import * as v from 'valibot';
import { bootstrapUrl } from './bootstrap-url.ts';
import { exceeds, watchMemory } from './memory.ts';
import { exited, outOfMemory, timedOut, withinLimit, type Outcome } from './outcome.ts';
import { Report, type Job, type Startup } from './protocol.ts';

export interface SandboxOptions {
  readonly startup: Omit<Startup, 'given' | 'gateway'>;
  readonly env: Readonly<Record<string, string>>;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** Least time of a start. As in Lambda, it does not count against the timeout. */
  readonly coldStartMs: number;
  /** Receives the output of the function to stdout and stderr. */
  readonly log: (text: string) => void;
  /** Opens a port to the gateway, for one worker. Without it, all calls go over HTTP. */
  readonly openPort?: (() => MessagePort) | undefined;
}

/** The runtime itself needs this much heap, whatever the template says. */
const LEAST_HEAP_MB = 64;

/**
 * A worker out of memory must end without the whole process. This works only if the objects that leave the young
 * generation at once fit into the small margin that Node allows above the heap limit. With V8's default size, V8 would
 * abort the process.
 */
const YOUNG_HEAP_MB = 32;

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

/** One worker thread for one function and one invocation at a time. An ended sandbox cannot be used again. */
export class Sandbox {
  private readonly options: SandboxOptions;
  private readonly given = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  private worker: Worker | undefined;
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

  /** Starts the worker and loads the function, once. A sandbox whose function did not load is not usable. */
  load(requestId: string): Promise<Outcome> {
    this.loading ??= this.slowed(
      this.wait(requestId, INIT_MS, () => {
        this.worker = this.start();
      }),
    );
    return this.loading;
  }

  /**
   * Runs one invocation, and starts the worker first if necessary. Calls `onStart` when the handler starts. Never
   * throws: each failure is an outcome.
   */
  async invoke(job: Omit<Job, 'deadline'>, onStart: () => void): Promise<Outcome> {
    const start = await this.load(job.requestId);
    if (!start.ok) return start;
    const milliseconds = this.options.timeoutSeconds * 1000;
    const unwatch = this.watch();
    const outcome = await this.wait(job.requestId, milliseconds, () => {
      onStart();
      this.thaw();
      this.worker?.postMessage({ ...job, deadline: Date.now() + milliseconds });
    });
    unwatch();
    return withinLimit(outcome);
  }

  private watch(): () => void {
    const { worker } = this;
    if (!worker) return () => undefined;
    return watchMemory(
      () => worker.getHeapStatistics(),
      (bytes) => {
        if (exceeds(bytes, this.options.memoryMb)) this.killForMemory();
      },
    );
  }

  private killForMemory(): void {
    this.finish(outOfMemory);
    void this.worker?.terminate();
  }

  private async slowed(start: Promise<Outcome>): Promise<Outcome> {
    const { coldStartMs } = this.options;
    if (coldStartMs > 0) await delay(coldStartMs, undefined, { ref: false });
    return start;
  }

  /** Ends the worker, even during an invocation. A frozen worker does not thaw. */
  async end(): Promise<void> {
    this.finish((requestId) => exited(requestId, 'signal: killed'));
    await this.worker?.terminate();
  }

  private thaw(): void {
    Atomics.add(this.given, 0, 1);
    Atomics.notify(this.given, 0);
  }

  private async wait(requestId: string, milliseconds: number, act: () => void): Promise<Outcome> {
    if (this.ended) return exited(requestId, 'signal: killed');
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const timer = setTimeout(() => {
      this.finish(() => timedOut(requestId, milliseconds / 1000));
      void this.worker?.terminate();
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

  private start(): Worker {
    const gateway = this.options.openPort?.();
    const worker = new Worker(bootstrapUrl(), {
      workerData: { ...this.options.startup, given: this.given, gateway } satisfies Startup,
      transferList: gateway ? [gateway] : [],
      env: { ...this.options.env },
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: {
        maxOldGenerationSizeMb: Math.max(LEAST_HEAP_MB, this.options.memoryMb),
        maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
      },
    });
    // What Node itself writes, for example before it runs out of memory.
    for (const stream of [worker.stdout, worker.stderr])
      stream.on('data', (chunk: Buffer) => this.options.log(chunk.toString()));
    worker.on('message', (message) => this.heard(v.parse(Report, message)));
    worker.on('error', (error) => this.crashed(error));
    worker.on('exit', (code) => this.finish((requestId) => exited(requestId, `exit status ${code}`)));
    return worker;
  }

  private heard(report: Report): void {
    if (report.kind === 'output') {
      this.options.log(report.text);
    } else if (report.kind === 'broken') {
      this.finish(() => ({ ok: false, failure: report.failure }));
      void this.worker?.terminate();
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

  private crashed(error: unknown): void {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
      this.finish(outOfMemory);
    else
      this.finish((requestId) => exited(requestId, error instanceof Error ? error.message : String(error)));
  }
}
