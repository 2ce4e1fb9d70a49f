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
 * Ends the calls of each invocation with the invocation: when Lambda's time is over, and when the handler has returned.
 */
export const withinInvocation =
  <Event, Answer>(
    handle: (event: Event, context: LambdaContext) => Promise<Answer>,
    clock: Clock = systemClock,
  ): Handler<Event, Answer> =>
  (event, context = {}) =>
    new Deadline({ clock, until: endOf(context, clock) }).run(() => handle(event, context));
