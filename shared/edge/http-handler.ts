/** HTTP handler: the outermost layer of every route. Gives each request an id, one log line, a deadline and an answer. */
import middy from '@middy/core';
import { writeAnswer, writeProblem, type GatewayAnswer } from '../http/answer.ts';
import type { ApiAnswer } from '../http/api-types.ts';
import { problems, type Problem } from '../http/problem.ts';
import { isUnavailable } from '../runtime/aws-errors.ts';
import { systemClock, type Clock } from '../runtime/clock.ts';
import { Deadline, unitsOfWork, endOf, type LambdaContext } from '../runtime/deadline.ts';
import { systemIds, type Ids } from '../runtime/ids.ts';
import { errorFacts, systemLog, type Log, type LogFields } from '../runtime/log.ts';
import type { Result } from '../runtime/result.ts';
import { headersOf, parseEvent, type HttpEvent } from './event.ts';

/** Ports of every handler behind a route. */
export interface HandlerRuntime {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** The runtime of a Lambda function. */
export const systemRuntime: HandlerRuntime = { clock: systemClock, ids: systemIds, log: systemLog };

/** The context of one request: its id, when it was accepted, and the fields of its log line. */
export interface RequestContext {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Adds fields to the log line of the request. */
  addLogFields(fields: LogFields): void;
}

/** The name of a route in logs and idempotency records: its method and path template. */
export const routeName = ({
  trigger,
}: {
  readonly trigger: { readonly method: string; readonly path: string };
}): string => `${trigger.method} ${trigger.path}`;

/** A handler as Lambda calls it. */
export type HttpHandler = (event: unknown, context?: LambdaContext) => Promise<GatewayAnswer>;

/** Writes a problem in the form of the route. `accept`: the media types that the client asks for. */
export type WriteFailure = (requestId: string, problem: Problem, accept: string) => GatewayAnswer;

/** A function that is still busy so long before Lambda's time-out answers 503 itself. */
const LAST_MILLISECONDS = 700;

/** Ids as API Gateway makes them. Any other id is replaced, because the id is echoed and logged. */
const gatewayId = /^[\w=+/-]{8,64}$/;

/**
 * The handler of a route. An exception becomes a problem: 503 when it is transient, 500 when it is a bug. `failure`
 * lets a route write problems in its own form. No port of the route may be called after the answer: Lambda would freeze
 * that call and thaw it with the next request, so the deadline refuses it.
 */
export const httpHandler = (
  route: string,
  runtime: HandlerRuntime,
  answer: (event: HttpEvent, context: RequestContext) => Promise<Result<ApiAnswer, Problem>>,
  failure: WriteFailure = writeProblem,
): HttpHandler => {
  const serve = async (event: HttpEvent, { context, logFields }: OpenRequest): Promise<GatewayAnswer> => {
    const { accept = '' } = headersOf(event);
    const fail: Attempt['fail'] = (problem) => failure(context.requestId, problem, accept);
    const written = await answerSafely({ runtime, route, context, fail }, () => answer(event, context));
    runtime.log('request.answered', {
      ...logFields(),
      request_id: context.requestId,
      method: event.requestContext.http.method,
      route,
      status: written.statusCode,
      ms: runtime.clock() - context.now,
      units: unitsOfWork(),
    });
    return written;
  };
  /** Serves a request in time. The early answer has the id of the access log, and its log line has what is known so far. */
  const serveInTime = async (raw: unknown, lambda: LambdaContext): Promise<GatewayAnswer> => {
    const event = parseEvent(raw);
    const open = openContext(runtime, event);
    const guarded = middy<unknown, GatewayAnswer, Error, LambdaContext>(() => serve(event, open), {
      timeoutEarlyInMillis: LAST_MILLISECONDS,
      timeoutEarlyResponse: () => {
        const { requestId } = open.context;
        runtime.log('request.late', { ...open.logFields(), request_id: requestId, route });
        return failure(requestId, problems.unavailable(), headersOf(event)['accept'] ?? '');
      },
    });
    return guarded(raw, lambda);
  };
  return (event, context = {}) => {
    const until = endOf(context, runtime.clock) - LAST_MILLISECONDS;
    return new Deadline({ clock: runtime.clock, until }).run(() => serveInTime(event, context));
  };
};

/** A request that is being served, with the log fields that are known so far. */
interface OpenRequest {
  readonly context: RequestContext;
  readonly logFields: () => LogFields;
}

const openContext = (runtime: HandlerRuntime, event: HttpEvent): OpenRequest => {
  const given = event.requestContext.requestId ?? '';
  let added: LogFields = {};
  const context: RequestContext = {
    requestId: gatewayId.test(given) ? given : runtime.ids.uuid(),
    now: runtime.clock(),
    addLogFields: (fields) => {
      added = { ...added, ...fields };
    },
  };
  return { context, logFields: () => added };
};

interface Attempt {
  readonly runtime: HandlerRuntime;
  readonly route: string;
  readonly context: RequestContext;
  readonly fail: (problem: Problem) => GatewayAnswer;
}

const answerSafely = async (
  { runtime, route, context: { requestId }, fail }: Attempt,
  answer: () => Promise<Result<ApiAnswer, Problem>>,
): Promise<GatewayAnswer> => {
  try {
    const outcome = await answer();
    return outcome.ok ? writeAnswer(requestId, outcome.value) : fail(outcome.error);
  } catch (error) {
    const passes = isUnavailable(error);
    const code = passes ? 'request.unavailable' : 'request.failed';
    runtime.log(code, { request_id: requestId, route, error: errorFacts(error) });
    return fail(passes ? problems.unavailable() : problems.internal());
  }
};
