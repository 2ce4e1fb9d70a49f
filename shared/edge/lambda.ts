import middy from '@middy/core';
import { isUnavailable } from '../runtime/aws-errors.ts';
import { systemClock, type Clock } from '../runtime/clock.ts';
import { Deadline } from '../runtime/deadline.ts';
import { systemIds, type Ids } from '../runtime/ids.ts';
import { endOf, type LambdaContext } from '../runtime/invocation.ts';
import { errorFacts, systemLog, type Log, type LogFields } from '../runtime/log.ts';
import type { Result } from '../runtime/result.ts';
import { writeAnswer, writeProblem, type GatewayAnswer } from '../http/answer.ts';
import type { ApiAnswer } from '../http/api-types.ts';
import { parseEvent, type HttpEvent } from './event.ts';
import { problems, type Problem } from '../http/problem.ts';

/** What every handler behind a route needs of its surroundings. */
export interface Surroundings {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** The surroundings of a Lambda function. */
export const systemSurroundings: Surroundings = { clock: systemClock, ids: systemIds, log: systemLog };

/** One request on its way: its id, and what the log shall say of it besides the outcome. */
export interface Passage {
  readonly requestId: string;
  readonly now: number;
  note(fields: LogFields): void;
}

/** A handler as Lambda calls it. */
export type HttpHandler = (event: unknown, context?: LambdaContext) => Promise<GatewayAnswer>;

/** Writes a problem in the form of the route. */
export type WriteFailure = (requestId: string, problem: Problem) => GatewayAnswer;

/** Time left to answer by ourselves before Lambda ends the function. */
const LAST_MILLISECONDS = 700;

/** Ids that API Gateway makes; anything else is replaced, since the id is echoed and logged. */
const gatewayId = /^[\w=+/-]{8,64}$/;

/**
 * The outermost layer of a route: request id, one log line, and for whatever is thrown a problem, 503 when it will pass
 * by itself and 500 when it is a bug. `failure` lets a route write problems in its own form. No call of the route goes out
 * after its answer: Lambda would freeze what goes on, and the next request would thaw it.
 */
export const httpHandler = (
  route: string,
  around: Surroundings,
  answer: (event: HttpEvent, passage: Passage) => Promise<Result<ApiAnswer, Problem>>,
  failure: WriteFailure = writeProblem,
): HttpHandler => {
  const serve = async (raw: unknown): Promise<GatewayAnswer> => {
    const event = parseEvent(raw);
    const passage = startPassage(around, event);
    const written = await attempt({ around, route, passage, failure }, () => answer(event, passage));
    around.log('request.answered', {
      ...passage.noted(),
      request_id: passage.requestId,
      method: event.requestContext.http.method,
      route,
      status: written.statusCode,
      ms: around.clock() - passage.now,
    });
    return written;
  };
  const guarded = middy<unknown, GatewayAnswer, Error, LambdaContext>(serve, {
    timeoutEarlyInMillis: LAST_MILLISECONDS,
    timeoutEarlyResponse: () => {
      const requestId = around.ids.uuid();
      around.log('request.late', { request_id: requestId, route });
      return failure(requestId, problems.unavailable());
    },
  });
  return (event, context = {}) => {
    const until = endOf(context, around.clock) - LAST_MILLISECONDS;
    return new Deadline({ clock: around.clock, until }).run(() => guarded(event, context));
  };
};

const startPassage = (around: Surroundings, event: HttpEvent) => {
  const given = event.requestContext.requestId ?? '';
  let noted: LogFields = {};
  return {
    requestId: gatewayId.test(given) ? given : around.ids.uuid(),
    now: around.clock(),
    note: (fields: LogFields): void => {
      noted = { ...noted, ...fields };
    },
    noted: () => noted,
  };
};

interface Attempt {
  readonly around: Surroundings;
  readonly route: string;
  readonly passage: Passage;
  readonly failure: WriteFailure;
}

const attempt = async (
  { around, route, passage: { requestId }, failure }: Attempt,
  answer: () => Promise<Result<ApiAnswer, Problem>>,
): Promise<GatewayAnswer> => {
  try {
    const outcome = await answer();
    return outcome.ok ? writeAnswer(requestId, outcome.value) : failure(requestId, outcome.error);
  } catch (error) {
    const passing = isUnavailable(error);
    const code = passing ? 'request.unavailable' : 'request.failed';
    around.log(code, { request_id: requestId, route, error: errorFacts(error) });
    return failure(requestId, passing ? problems.unavailable() : problems.internal());
  }
};
