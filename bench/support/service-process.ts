/** The process behind `openService`: the embedded cloud, which measures itself on demand until its parent disconnects. */
import type { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import { startTidemark } from '../../cli/standalone/tidemark.ts';
import { ownThread } from '../../local/services/lambda/thread.ts';
import { serviceOptions, type Usage } from './service-messages.ts';

/** Heaps are looked at this often. */
const LOOK_EVERY_MS = 1_000;

/** More sandboxes than a scenario starts. */
const MEASURED_SANDBOXES = 64;

const asked = v.picklist(['begin', 'end', 'stop']);
const given = v.parse(serviceOptions, JSON.parse(process.argv[2] ?? '{}'));

/** Processor time in microseconds, as Node counts it. */
const sum = ({ user, system }: NodeJS.CpuUsage): number => user + system;

/** The threads of the functions, and the processor time of those that have ended, in microseconds. */
const workers = new Map<Worker, number>();
let ended = 0;
process.on('worker', (worker) => {
  workers.set(worker, 0);
  worker.once('exit', () => {
    ended += workers.get(worker) ?? 0;
    workers.delete(worker);
  });
});

/** Processor time of all threads of functions so far. */
const ofFunctions = async (): Promise<number> => {
  await Promise.allSettled(
    [...workers.keys()].map(async (worker) => {
      const time = sum(await worker.cpuUsage());
      if (workers.has(worker)) workers.set(worker, time);
    }),
  );
  return ended + [...workers.values()].reduce((all, time) => all + time, 0);
};

const heaps = { emulators: 0, functions: 0, largestFunction: 0, threads: 0 };

/** Keeps the peaks of the heaps, and the processor time of threads that may end before the next look. */
const look = async (): Promise<void> => {
  await ofFunctions();
  const sizes = await Promise.allSettled([...workers.keys()].map((worker) => worker.getHeapStatistics()));
  const bytes = sizes.flatMap((size) =>
    size.status === 'fulfilled' ? [size.value.total_heap_size + size.value.external_memory] : [],
  );
  const { heapTotal, external } = process.memoryUsage();
  heaps.emulators = Math.max(heaps.emulators, heapTotal + external);
  heaps.functions = Math.max(
    heaps.functions,
    bytes.reduce((all, size) => all + size, 0),
  );
  heaps.largestFunction = Math.max(heaps.largestFunction, ...bytes);
  heaps.threads = Math.max(heaps.threads, bytes.length);
};
setInterval(() => void look(), LOOK_EVERY_MS).unref();

const cloud = await startTidemark({
  allowPrivateTargets: true,
  ...(given.apart === true && { startThread: ownThread }),
  ...(given.endsIdle !== true && { idleSandboxes: MEASURED_SANDBOXES }),
  context: { momentIntervalSeconds: '1' },
  ...(given.dataDir !== undefined && { dataDir: given.dataDir }),
});

interface Mark {
  readonly at: number;
  readonly functions: number;
  readonly emulators: number;
  readonly process: number;
}

const mark = async (): Promise<Mark> => ({
  functions: await ofFunctions(),
  emulators: sum(process.threadCpuUsage()),
  process: sum(process.cpuUsage()),
  at: performance.now(),
});

let began = await mark();

/** The sizes of the objects in the undo log. */
const undoLog = async (): Promise<readonly number[]> => {
  const { s3 } = cloud.parts.storage;
  const bucket = cloud.deployment.buckets.find(({ name }) => name.includes('-work-'))?.name ?? '';
  const names = s3.list(bucket).filter((key) => key.startsWith('undo/'));
  return Promise.all(names.map(async (key) => (await s3.get(bucket, key))?.length ?? 0));
};

/** What was used since the last `begin`. */
const used = async (): Promise<Usage> => {
  const now = await mark();
  const functions = (now.functions - began.functions) / 1e6;
  const emulators = (now.emulators - began.emulators) / 1e6;
  return {
    undoLog: [...(await undoLog())],
    seconds: (now.at - began.at) / 1000,
    cpu: { functions, emulators, other: (now.process - began.process) / 1e6 - functions - emulators },
    heaps: { ...heaps },
    meter: [...cloud.gateway.meter.snapshot()],
  };
};

const answer = async (question: v.InferOutput<typeof asked>): Promise<unknown> => {
  if (question === 'begin') {
    cloud.gateway.meter.reset();
    began = await mark();
    return {};
  }
  if (question === 'end') return used();
  await cloud.stop();
  return {};
};

process.once('disconnect', () => process.exit());
process.on('message', (message) => {
  void answer(v.parse(asked, message)).then((value) => process.send?.(value));
});
// The start leaves work behind, such as the brands of the catalogue.
await cloud.idle();
process.send?.(cloud.endpoints);
