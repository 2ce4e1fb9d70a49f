import { systemClock, type Clock } from './clock.ts';
import { Deadline } from './deadline.ts';

/** The part of Lambda's context that the service uses; a test may leave it out. */
export interface LambdaContext {
  readonly getRemainingTimeInMillis?: () => number;
}

/** A handler as Lambda calls it. */
type Handler<Event, Answer> = (event: Event, context?: LambdaContext) => Promise<Answer>;

/** The end of an invocation on `clock`; never when the context does not say (tests). */
export const endOf = ({ getRemainingTimeInMillis }: LambdaContext, clock: Clock): number =>
  getRemainingTimeInMillis ? clock() + getRemainingTimeInMillis() : Number.POSITIVE_INFINITY;

/**
 * The work of a function ends so long before Lambda's time-out. An attempt of a call under way takes up to 10 s; the rest
 * is for telling the outcome: an answer to the workflow, or messages given back to their queue.
 */
export const LAST_MILLISECONDS = 15_000;

/**
 * Ends the calls of each invocation with the invocation: when Lambda's time is over, and when the handler has returned.
 * `margin` milliseconds of that time are kept back.
 */
export const withinInvocation =
  <Event, Answer>(
    handle: (event: Event, context: LambdaContext) => Promise<Answer>,
    clock: Clock = systemClock,
    margin = 0,
  ): Handler<Event, Answer> =>
  (event, context = {}) =>
    new Deadline({ clock, until: endOf(context, clock) - margin }).run(() => handle(event, context));
