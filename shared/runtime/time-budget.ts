/** Time budget: tells a long job when to stop, so that its next call continues the work. */
import type { Clock } from './clock.ts';
import type { LambdaContext } from './deadline.ts';

/** The time left where the context does not say it (tests). */
const AMPLE_MILLISECONDS = 900_000;

/** Whether there is time for another step. */
export type HasTime = () => boolean;

/** Milliseconds left of an invocation. */
export const timeLeft =
  ({ getRemainingTimeInMillis }: LambdaContext): (() => number) =>
  () =>
    getRemainingTimeInMillis?.() ?? AMPLE_MILLISECONDS;

/** Has time until an invocation has only its last seconds left. */
export const untilLastSeconds = (context: LambdaContext, seconds: number): HasTime => {
  const left = timeLeft(context);
  return () => left() > seconds * 1_000;
};

/** Has time for this many seconds from now. */
export const forSeconds = (clock: Clock, seconds: number): HasTime => {
  const end = clock() + seconds * 1_000;
  return () => clock() <= end;
};
