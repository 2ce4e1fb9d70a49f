/** Waits at the end of an import until the sizes of segments count it. */
import type { Connected } from '../context.ts';
import type { ImportJob } from './follow.ts';

/** Pause between two looks. */
const POLL_MS = 300;

/** The service looks at the end of a file after each twentieth of the time so far, and then measures. */
const LEAST_MS = 4_000;
const SHARE = 20;
const MOST_MS = 60_000;

/** What the wait needs. Times in milliseconds. */
interface CountedPorts {
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** The time of the sizes since the epoch. */
  readonly countedAt: () => Promise<number>;
}

/** Whether the sizes count a job that has ended: waits for some seconds, and longer for a job that took long. */
export const isCountedSoon = async (
  { now, pause, countedAt }: CountedPorts,
  { started, finished }: Pick<ImportJob, 'started' | 'finished'>,
): Promise<boolean> => {
  if (finished === null) return false;
  const ended = Date.parse(finished);
  const took = ended - Date.parse(started ?? finished);
  const until = now() + Math.min(MOST_MS, LEAST_MS + took / SHARE);
  while ((await countedAt()) < ended) {
    if (now() >= until) return false;
    await pause(POLL_MS);
  }
  return true;
};

/**
 * Waits until the list of segments counts a job that has ended, so that `tidemark segments` shows its people. A property
 * whose measurement is expensive is not measured after each import: then it says that the counts are older. The rows are
 * stored, so a failure or Ctrl-C only ends the wait.
 */
export const untilCounted = async (context: Connected, job: ImportJob): Promise<void> => {
  const countedAt = async (): Promise<number> => {
    const { as_of: asOf } = await context.client.listSegmentSizes({ query: { limit: 1 } });
    return asOf === null ? 0 : Date.parse(asOf);
  };
  const pause = (ms: number): Promise<void> => context.pause(ms);
  // After a failure, the next command says what it is.
  const isCounted = await isCountedSoon({ now: context.surroundings.now, pause, countedAt }, job).catch(
    () => true,
  );
  if (!isCounted) context.note('The counts of "tidemark segments" are still older than this import.');
};
