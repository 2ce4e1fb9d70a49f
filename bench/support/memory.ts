/** Memory of processes, in bytes (Linux). */
import { readFileSync } from 'node:fs';
import { setInterval as every } from 'node:timers/promises';

/** Peak memory of a process. */
export interface ProcessPeaks {
  /** All resident memory. */
  readonly whole: number;
  /** Heaps, buffers and stacks, without mapped files. */
  readonly own: number;
  /** Mapped files: programs, and the files of the table. */
  readonly mapped: number;
}

/** Present memory of a process. */
export const residentBytes = (pid: number): number => fieldOf(statusOf(pid), 'VmRSS');

const LOOK_EVERY_MS = 1_000;

/** Watches a process until `signal` aborts, then returns its peaks. */
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

/** A figure of `/proc/<pid>/status`, which has kB. */
const fieldOf = (status: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? NaN) * 1024;
