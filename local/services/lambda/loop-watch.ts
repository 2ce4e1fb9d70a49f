/**
 * Loop watch: ends the process, and says why, when its main thread no longer answers: a function loops there, and nothing in
 * that thread can end it.
 */
import { url } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { bootstrapUrl } from './bootstrap-url.ts';

/**
 * Watches the main thread, until the returned function is called. The watch counts the seconds, so that those in which the
 * process was stopped do not count. A debugger may stop the main thread alone: with one, nothing is watched.
 */
export const watchForLoops = (mostSeconds: number): (() => Promise<void>) => {
  if (url() !== undefined) return () => Promise.resolve();
  const silence = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const answering = setInterval(() => Atomics.store(silence, 0, 0), 1_000).unref();
  const watch = new Worker(bootstrapUrl('loop-watch-worker.ts'), {
    workerData: { silence, mostSeconds },
    execArgv: [],
  });
  watch.unref();
  return async () => {
    clearInterval(answering);
    await watch.terminate();
  };
};
