/**
 * Runs inside the process of a service (`--import`): regularly writes the peak sizes of the process's heaps to the file
 * `HEAP_REPORT`. The main thread is the embedded cloud; each other thread runs a function.
 */
import { writeFileSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import type { HeapPeaks } from './memory.ts';

const LOOK_EVERY_MS = 1_000;
const file = process.env['HEAP_REPORT'] ?? '';
const workers = new Set<Worker>();
const peaks: HeapPeaks = { main: 0, functions: 0, largestFunction: 0, threads: 0 };

process.on('worker', (worker) => {
  workers.add(worker);
  worker.once('exit', () => workers.delete(worker));
});

/** Heap and buffers of each function's thread, in bytes, without threads that end meanwhile. */
const functionSizes = async (): Promise<number[]> => {
  const heaps = await Promise.allSettled([...workers].map((worker) => worker.getHeapStatistics()));
  return heaps.flatMap((heap) =>
    heap.status === 'fulfilled' ? [heap.value.total_heap_size + heap.value.external_memory] : [],
  );
};

const look = async (): Promise<void> => {
  const sizes = await functionSizes();
  const { heapTotal, external } = process.memoryUsage();
  peaks.main = Math.max(peaks.main, heapTotal + external);
  peaks.functions = Math.max(
    peaks.functions,
    sizes.reduce((sum, size) => sum + size, 0),
  );
  peaks.largestFunction = Math.max(peaks.largestFunction, ...sizes);
  peaks.threads = Math.max(peaks.threads, sizes.length);
  writeFileSync(file, JSON.stringify(peaks));
};

setInterval(() => void look(), LOOK_EVERY_MS).unref();
