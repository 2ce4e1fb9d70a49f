/** Request pipeline: takes one HTTP request through identification, IAM, faults, service and meter to its answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { AwsRequest, AwsResponse, AwsService, Caller, NeededPermission } from '../core/types.ts';
import { targetOperation } from '../core/json-protocol.ts';
import { ServiceError } from '../core/service-error.ts';
import { oneCall } from '../core/usage.ts';
import type { Callers } from './callers.ts';
import { isSpared, type Faults } from '../core/faults.ts';
import type { Latency } from '../core/latency.ts';
import { guessService, identify, type RequestHead } from './identify.ts';
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

/** Largest buffered request body: DynamoDB's 16 MB. Bodies of S3 are streams without this limit. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

/** Marks an answer that a fault lost. The pipeline closes the socket without an answer. */
const LOST = Symbol('lost');

/** Serves one HTTP request. Never throws: an error becomes an answer. */
export const serve = async (
  context: PipelineContext,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> => {
  const head = headOf(incoming);
  try {
    const answer = await answerTo(context, head, { incoming, outgoing });
    if (answer === LOST) outgoing.destroy();
    else await write(outgoing, head.method, answer);
  } catch (error) {
    // The caller closed the connection, or a stream broke. An answer can no longer reach the caller.
    outgoing.destroy();
    if (!isHangUp(error)) console.error('gateway', head.method, head.target.split('?')[0], error);
  }
};

const isHangUp = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^(ECONN|EPIPE|ERR_STREAM)/.test(error.code);

const headOf = (incoming: IncomingMessage): RequestHead => {
  const target = incoming.url ?? '/';
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(',') : value;

  const mark = target.indexOf('?');
  const query = new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
  return { method: incoming.method ?? 'GET', target, query, headers };
};

const answerTo = async (
  context: PipelineContext,
  head: RequestHead,
  { incoming, outgoing }: Exchange,
): Promise<AwsResponse | typeof LOST> => {
  let name = guessService(head);
  try {
    const { caller, service } = identify(head, context.callers, context.services, new Date());
    name = service.name;
    const request: AwsRequest = {
      method: head.method,
      path: head.target.split('?')[0] ?? '/',
      query: head.query,
      headers: head.headers,
      body: name === 's3' ? incoming : await buffered(incoming),
    };
    const needed = service.permissions(request);
    context.callers.authorize(caller, needed);
    const call = { caller, needed };
    return await observed(context, caller.name, actionOf(service, request, call), () =>
      late(context, latencyOf(context, service, request, call), outgoing, () =>
        withFaults(context, service, request, call),
      ),
    );
  } catch (error) {
    if (name === 's3') incoming.resume();
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

/** A request and its response. */
interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

const latencyOf = (context: PipelineContext, service: AwsService, request: AwsRequest, call: Call): number =>
  context.latency?.call(service.name, call.caller.name, actionOf(service, request, call)) ?? 0;

/**
 * Serves a call with a latency: one half passes before the service gets the call, the other half before its answer. A
 * caller that ends in the first half never reached the service; a caller that ends in the second half changed it.
 */
const late = async (
  { pause }: PipelineContext,
  milliseconds: number,
  outgoing: ServerResponse,
  serveNow: () => Promise<AwsResponse | typeof LOST>,
): Promise<AwsResponse | typeof LOST> => {
  if (milliseconds === 0) return serveNow();
  await pause(milliseconds / 2);
  if (outgoing.destroyed) return LOST;
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
  const injected = isSpared(call.caller.name)
    ? undefined
    : context.faults?.call(call.caller.name, actionOf(service, request, call));
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

const discard = (response: AwsResponse): void => {
  if (typeof response.body !== 'string' && !Buffer.isBuffer(response.body)) response.body.resume();
};

const actionOf = (service: AwsService, request: AwsRequest, call: Call): string =>
  call.needed[0]?.action ?? `${service.name}:${targetOperation(request) || request.method}`;

const metered = async (
  context: PipelineContext,
  service: AwsService,
  request: AwsRequest,
  call: Call,
): Promise<AwsResponse> => {
  const response = await service.handle(request, call.caller);
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

const buffered = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > MAX_BUFFERED_BYTES)
      throw new ServiceError('RequestEntityTooLarge', 'The request is too large', 413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const write = async (outgoing: ServerResponse, method: string, answer: AwsResponse): Promise<void> => {
  outgoing.writeHead(answer.status, {
    'x-amzn-requestid': crypto.randomUUID(),
    ...lengthOf(answer),
    ...answer.headers,
  });
  if (typeof answer.body === 'string' || Buffer.isBuffer(answer.body)) {
    outgoing.end(method === 'HEAD' ? undefined : answer.body);
    return;
  }
  await pipeline(answer.body, outgoing);
};

const lengthOf = ({ body }: AwsResponse): Record<string, number> =>
  typeof body === 'string' || Buffer.isBuffer(body) ? { 'content-length': Buffer.byteLength(body) } : {};
