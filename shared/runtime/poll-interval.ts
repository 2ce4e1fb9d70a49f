import { limits } from '../config/limits.ts';

/** The next poll follows after this fraction of the time waited so far. */
const PATIENCE = 20;

/**
 * Seconds until the next poll of a workflow, by the milliseconds that it has waited so far. Intervals grow, so
 * an execution that waits all its life stays below the 25,000 events at which Step Functions ends it.
 */
export const secondsToNextPoll = (waitedMs: number): number => {
  const { pollSecondsMin, pollSecondsMax } = limits.workflows;
  return Math.min(pollSecondsMax, Math.max(pollSecondsMin, Math.round(waitedMs / 1000 / PATIENCE)));
};
