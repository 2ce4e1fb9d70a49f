/** Requests over HTTP: those of other processes, of this process, and the calls of functions to S3. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../core/service-error.ts';
import type { AwsResponse } from '../core/types.ts';
import { namesThisMachine } from '../core/own-host.ts';
import type { RequestHead } from './identify.ts';
import { answerTo, LOST, type PipelineContext } from './pipeline.ts';

/** Largest buffered request body: DynamoDB's 16 MB. Bodies of S3 are streams without this limit. */
export const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

/** The refusal of a larger body. */
export const tooLarge = (): ServiceError =>
  new ServiceError('RequestEntityTooLarge', 'The request is too large', 413);

/** Serves one HTTP request. Never throws: an error becomes an answer. A lost answer closes the connection. */
export const serve = async (
  context: PipelineContext,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> => {
  const head = headOf(incoming);
  try {
    const answer = await answerTo(context, {
      head,
      isOwnThread: false,
      isMisdirected: !namesThisMachine(incoming),
      body: (isStream) => (isStream ? incoming : buffered(incoming)),
      drop: () => void incoming.resume(),
      isGone: () => outgoing.destroyed,
    });
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

  return { method: incoming.method ?? 'GET', target, query: queryOf(target), headers };
};

/** The query of a path and query. */
export const queryOf = (target: string): URLSearchParams => {
  const mark = target.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
};

const buffered = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > MAX_BUFFERED_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const write = async (outgoing: ServerResponse, method: string, answer: AwsResponse): Promise<void> => {
  outgoing.writeHead(answer.status, headersOf(answer));
  if (typeof answer.body === 'string' || Buffer.isBuffer(answer.body)) {
    outgoing.end(method === 'HEAD' ? undefined : answer.body);
    return;
  }
  await pipeline(answer.body, outgoing);
};

/** The headers of an answer: the id of the request, the length of the body, and those of the service. */
export const headersOf = ({ headers, body }: AwsResponse): Record<string, string> => ({
  'x-amzn-requestid': crypto.randomUUID(),
  ...(typeof body === 'string' || Buffer.isBuffer(body)
    ? { 'content-length': String(Buffer.byteLength(body)) }
    : {}),
  ...headers,
});
