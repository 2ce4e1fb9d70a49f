/** Request pipeline: takes one request through identification, IAM, faults, service and meter to its answer. */
import type {
  AwsRequest,
  AwsResponse,
  AwsService,
  Caller,
  CrossOrigin,
  NeededPermission,
  PageRequest,
} from '../core/types.ts';
import { targetOperation } from '../core/json-protocol.ts';
import { ServiceError } from '../core/service-error.ts';
import { MISDIRECTED } from '../core/own-host.ts';
import { oneCall } from '../core/usage.ts';
import type { Callers } from './callers.ts';
import type { Faults } from '../core/faults.ts';
import type { Latency } from '../core/latency.ts';
import { guessService, identify, requireSignature, type RequestHead } from './identify.ts';
import type { Meter } from './meter.ts';
import { partialBatch } from './partial.ts';
import { deniedError, errorResponse, failedError, throttledError } from '../core/error-responses.ts';

/** A call that the gateway has answered. Times are those of `performance.now()`. */
export interface ObservedCall {
  readonly caller: string;
  /** `dynamodb:Query` */
  readonly action: string;
  readonly began: number;
  readonly ended: number;
}

/** Observes the calls, each after its answer. */
export type CallObserver = (call: ObservedCall) => void;

/** The context of the pipeline. */
export interface PipelineContext {
  readonly services: ReadonlyMap<string, AwsService>;
  readonly callers: Callers;
  readonly meter: Meter;
  readonly faults: Faults | undefined;
  readonly latency: Latency | undefined;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  /** Names of callers whose calls fail, except those to queues. */
  readonly failing: ReadonlySet<string>;
  readonly observers: ReadonlySet<CallObserver>;
}

/** Marks an answer that a fault lost: the caller gets no answer. */
export const LOST = Symbol('lost');

/** A request, however it arrives. */
export interface Exchange {
  readonly head: RequestHead;
  /** Whether a thread of this process made the request over its port. Nobody else can use the port. */
  readonly isOwnThread: boolean;
  /** Whether the request names another machine. */
  readonly isMisdirected: boolean;
  /** Reads the body. S3 gets a stream, because its bodies may be large. */
  body(isStream: boolean): AwsRequest['body'] | Promise<AwsRequest['body']>;
  /** Drops what was not read of the body. */
  drop(): void;
  /** Whether the caller no longer waits. */
  isGone(): boolean;
}

/**
 * The answer to a request. An error is an answer, too. The answer to a web page has the headers with which its browser lets
 * the page read it, if the service admits the page.
 */
export const answerTo = async (
  context: PipelineContext,
  exchange: Exchange,
): Promise<AwsResponse | typeof LOST> => {
  const { head } = exchange;
  const mayBePage = head.headers['origin'] !== undefined || head.method === 'OPTIONS';
  const pages = mayBePage ? context.services.get(guessService(head))?.crossOrigin : undefined;
  const answer = await ownAnswer(context, exchange, pages);
  if (answer === LOST || !pages || exchange.isMisdirected) return answer;
  return { ...answer, headers: { ...answer.headers, ...pages.headersFor(requestOf(head)) } };
};

const requestOf = ({ method, target, query, headers }: RequestHead): PageRequest => ({
  ...{ method, query, headers },
  path: target.split('?')[0] ?? '/',
});

/** The answer without headers for pages, unless it is that to a preflight. */
const ownAnswer = async (
  context: PipelineContext,
  exchange: Exchange,
  pages: CrossOrigin | undefined,
): Promise<AwsResponse | typeof LOST> => {
  const { head } = exchange;
  let found: AwsService | undefined;
  try {
    if (exchange.isMisdirected)
      throw new ServiceError('AccessDenied', MISDIRECTED.message, MISDIRECTED.status);
    if (head.method === 'OPTIONS' && pages) return pages.preflight(requestOf(head));
    const { caller, service } = identify(head, context.callers, context.services, new Date());
    found = service;
    const request: AwsRequest = {
      ...requestOf(head),
      body: await exchange.body(service.name === 's3'),
    };
    if (!exchange.isOwnThread) requireSignature(head, caller, request.body);
    const needed = service.permissions(request);
    context.callers.authorize(caller, needed);
    const call = { caller, needed };
    return await observed(context, caller.name, actionOf(service, request, call), () =>
      late(context, latencyOf(context, service, request, call), exchange, () =>
        withFaults(context, service, request, call),
      ),
    );
  } catch (error) {
    const name = found?.name ?? guessService(head);
    if (name === 's3') exchange.drop();
    return errorResponse(name, serviceErrorOf(name, error));
  }
};

/** Serves a call, and tells the observers when it began and ended. */
const observed = async <T>(
  { observers }: PipelineContext,
  caller: string,
  action: string,
  serveCall: () => Promise<T>,
): Promise<T> => {
  const began = performance.now();
  try {
    return await serveCall();
  } finally {
    for (const seen of observers) seen({ caller, action, began, ended: performance.now() });
  }
};

const latencyOf = (context: PipelineContext, service: AwsService, request: AwsRequest, call: Call): number =>
  context.latency?.call(service.name, call.caller.name, actionOf(service, request, call)) ?? 0;

/**
 * Serves a call with a latency: one half passes before the service gets the call, the other half before its answer. A
 * caller that ends in the first half never reached the service; a caller that ends in the second half changed it.
 */
const late = async (
  { pause }: PipelineContext,
  milliseconds: number,
  exchange: Exchange,
  serveNow: () => Promise<AwsResponse | typeof LOST>,
): Promise<AwsResponse | typeof LOST> => {
  if (milliseconds === 0) return serveNow();
  await pause(milliseconds / 2);
  if (exchange.isGone()) return LOST;
  try {
    return await serveNow();
  } finally {
    await pause(milliseconds / 2);
  }
};

const serviceErrorOf = (service: string, error: unknown): ServiceError => {
  if (!(error instanceof ServiceError)) {
    console.error('gateway', service, error);
    return failedError(service);
  }
  return error.code === 'AccessDenied' && service !== 's3' ? deniedError(service, error.message) : error;
};

interface Call {
  readonly caller: Caller;
  readonly needed: readonly NeededPermission[];
}

const withFaults = async (
  context: PipelineContext,
  service: AwsService,
  request: AwsRequest,
  call: Call,
): Promise<AwsResponse | typeof LOST> => {
  if (context.failing.has(call.caller.name) && service.name !== 'sqs') throw failedError(service.name);
  const injected = context.faults?.call(call.caller.name, actionOf(service, request, call));
  if (!injected) return metered(context, service, request, call);
  if (injected.fault === 'error') throw failedError(service.name);
  if (injected.fault === 'lost') {
    discard(await metered(context, service, request, call));
    return LOST;
  }
  const partial =
    injected.fault === 'partial' && partialBatch(targetOperation(request), request, injected.random);
  if (!partial) throw throttledError(service.name, injected.random);
  return partial.complete(await metered(context, service, partial.request, call));
};

const discard = ({ body }: Pick<AwsResponse, 'body'>): void => {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) body.resume();
};

/**
 * The answer of a service to a call. A service throws its refusals, which are answers in its protocol. The rest of a refused
 * body is read, so that the connection stays usable.
 */
export const answerOf = async (
  service: AwsService,
  request: AwsRequest,
  caller: Caller,
): Promise<AwsResponse> => {
  try {
    return await service.handle(request, caller);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    discard(request);
    return errorResponse(service.name, error);
  }
};

const actionOf = (service: AwsService, request: AwsRequest, call: Call): string =>
  call.needed[0]?.action ?? `${service.name}:${targetOperation(request) || request.method}`;

const metered = async (
  context: PipelineContext,
  service: AwsService,
  request: AwsRequest,
  call: Call,
): Promise<AwsResponse> => {
  const response = await answerOf(service, request, call.caller);
  const bytes = Buffer.isBuffer(request.body)
    ? request.body.length
    : Number(request.headers['content-length'] ?? 0);
  const usage =
    response.usage ??
    call.needed.map(({ action, resource }) => ({
      action,
      kind: resource.split(':').slice(5).join(':') || resource,
      ...oneCall,
      bytes,
    }));
  for (const line of usage) context.meter.record(call.caller.name, line);
  return response;
};
