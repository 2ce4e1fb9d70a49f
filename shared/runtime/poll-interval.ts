import { limits } from '../config/limits.ts';

/** What is waited for is looked at again after this part of the time that the wait has taken already. */
const PATIENCE = 20;

/**
 * Seconds until a workflow looks again at what it waits for, by the milliseconds that it has waited already. Waits grow, so
 * an execution that waits for its whole life stays below the 25,000 events at which Step Functions ends it.
 */
export const secondsToNextPoll = (waitedMs: number): number => {
  const { pollSecondsMin, pollSecondsMax } = limits.workflows;
  return Math.min(pollSecondsMax, Math.max(pollSecondsMin, Math.round(waitedMs / 1000 / PATIENCE)));
};
