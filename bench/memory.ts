/** What processes and their threads take of memory, in bytes (Linux). */
import { readFileSync } from 'node:fs';
import { setInterval as every } from 'node:timers/promises';
import * as v from 'valibot';

/** The most that the heaps of a service's threads, their buffers included, came to at a time. */
export interface HeapPeaks {
  /** The main thread: the embedded cloud itself. */
  main: number;
  /** All threads of functions together. */
  functions: number;
  largestFunction: number;
  /** Threads of functions. */
  threads: number;
}

const heapPeaks = v.object({
  main: v.number(),
  functions: v.number(),
  largestFunction: v.number(),
  threads: v.number(),
});

/** What `heap-report.ts` has written. */
export const readHeapPeaks = (file: string): HeapPeaks =>
  v.parse(heapPeaks, JSON.parse(readFileSync(file, 'utf8')));

/** The most that a process held in memory at a time. */
export interface ProcessPeaks {
  /** All of it. */
  readonly whole: number;
  /** Heaps, buffers and stacks: what is no mapped file. */
  readonly own: number;
  /** Mapped files: programs, and the files of the table. */
  readonly mapped: number;
}

/** What a process holds in memory now. */
export const residentBytes = (pid: number): number => fieldOf(statusOf(pid), 'VmRSS');

const LOOK_EVERY_MS = 1_000;

/** Watches a process until `signal` says stop, then answers its peaks. */
export const watchMemory = async (pid: number, signal: AbortSignal): Promise<ProcessPeaks> => {
  let own = 0;
  let mapped = 0;
  const look = (): number => {
    const status = statusOf(pid);
    own = Math.max(own, fieldOf(status, 'RssAnon'));
    mapped = Math.max(mapped, fieldOf(status, 'RssFile'));
    return fieldOf(status, 'VmHWM');
  };
  try {
    const ticks = every(LOOK_EVERY_MS, undefined, { signal });
    while ((await ticks.next()).done !== true) look();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return { whole: look(), own, mapped };
};

const statusOf = (pid: number): string => readFileSync(`/proc/${pid}/status`, 'utf8');

/** A figure of `/proc/<pid>/status`, which are in kB. */
const fieldOf = (status: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? NaN) * 1024;
