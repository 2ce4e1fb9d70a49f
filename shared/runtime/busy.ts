/** Busy: tells failures that pass by themselves from failures that may be bugs. */
import { isThrottle, isUnavailable } from './aws-errors.ts';
import { isDeadlineOver, wasThrottled } from './deadline.ts';

/**
 * Whether the running work failed because a service is throttling or failing, or because other writers were always
 * first. Work that has used up its time would use it up again, so it does not count, unless a throttling table was the
 * reason.
 */
export const isBusy = (error: unknown): boolean =>
  isThrottle(error) || (isUnavailable(error) && (!isDeadlineOver() || wasThrottled()));
