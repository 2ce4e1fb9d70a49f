/** Threads: what a sandbox runs its function in. */
import { Worker, type MessagePort } from 'node:worker_threads';
import * as v from 'valibot';
import type { AnswerCall } from '../../core/gateway-messages.ts';
import { bootstrapUrl } from './bootstrap-url.ts';
import { watchMemory } from './memory.ts';
import { Report, type Job, type Startup } from './protocol.ts';

/** A function that a thread is to run. */
export interface ThreadOptions {
  readonly startup: Omit<Startup, 'given' | 'gateway'>;
  readonly env: Readonly<Record<string, string>>;
  readonly memoryMb: number;
  /** The gateway, for JSON calls. Without it, all calls go over HTTP. */
  readonly gateway?: NearGateway | undefined;
}

/** The gateway of this process. */
export interface NearGateway {
  /** Opens a port for the JSON calls of one worker thread. */
  openPort(): MessagePort;
  /** Answers a JSON call of a function in the gateway's thread. */
  readonly call: AnswerCall;
}

/** Why a thread ended by itself: an error, or an exit code. */
export type ThreadEnd = { readonly error: unknown } | { readonly code: number };

/** Hears what happens in a thread. */
export interface ThreadListener {
  readonly heard: (report: Report) => void;
  readonly ended: (cause: ThreadEnd) => void;
}

/** A thread that runs one function for one sandbox. */
export interface Thread {
  /** Lets the function handle an invocation. */
  invoke(job: Job): void;
  /** Calls `seen` with the resident memory in bytes, again and again. Returns a function that ends this. */
  watch(seen: (bytes: number) => void): () => void;
  /** Ends the function, even during an invocation. */
  end(): Promise<void>;
}

/** Starts a function. */
export type StartThread = (options: ThreadOptions, listener: ThreadListener) => Thread;

/** The runtime itself needs this much heap, whatever the template says. */
const LEAST_HEAP_MB = 64;

/**
 * A worker out of memory must end without the whole process. This works only if the objects that leave the young
 * generation at once fit into the small margin that Node allows above the heap limit. With V8's default size, V8 would
 * abort the process.
 */
const YOUNG_HEAP_MB = 32;

/** A worker thread for one function, which freezes between invocations, and ends when it takes too much memory. */
export const ownThread: StartThread = ({ startup, env, memoryMb, gateway }, { heard, ended }) => {
  const given = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const port = gateway?.openPort();
  const worker = new Worker(bootstrapUrl('bootstrap.ts'), {
    workerData: { ...startup, given, gateway: port } satisfies Startup,
    transferList: port ? [port] : [],
    env: { ...env },
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: Math.max(LEAST_HEAP_MB, memoryMb),
      maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
    },
  });
  // What Node itself writes, for example before it runs out of memory.
  for (const stream of [worker.stdout, worker.stderr])
    stream.on('data', (chunk: Buffer) => heard({ kind: 'output', text: chunk.toString() }));
  worker.on('message', (message) => heard(v.parse(Report, message)));
  worker.on('error', (error) => ended({ error }));
  worker.on('exit', (code) => ended({ code }));
  return {
    invoke: (job) => {
      Atomics.add(given, 0, 1);
      Atomics.notify(given, 0);
      worker.postMessage(job);
    },
    watch: (seen) => watchMemory(() => worker.getHeapStatistics(), seen),
    end: async () => {
      await worker.terminate();
    },
  };
};
