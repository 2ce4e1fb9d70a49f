/** Stage: a running service with what it reaches, on which scenes call operations. Keeps the calls that are examples. */
import * as v from 'valibot';
import type { Exchange } from '../../functions/edge/openapi/examples.ts';
import type { TidemarkOptions } from '../../cli/standalone/tidemark.ts';
import { startService } from '../support/service.ts';
import { openSftpServer } from '../support/sftp-server.ts';
import { openReceiver } from '../support/webhook-receiver.ts';
import { callerOf } from './operations.ts';

/** Starts a service, and the receivers of files and of notices. */
export const openStage = async (options?: TidemarkOptions) => {
  await using parts = new AsyncDisposableStack();
  const service = parts.use(await startService(options));
  const receiver = parts.use(await openReceiver());
  const sftp = parts.use(await openSftpServer());
  const examples = new Map<string, Exchange>();
  const owned = parts.move();
  let last = 0;
  return {
    service,
    call: callerOf(service),
    /** The same, and keeps the exchange as the example of the operation. Throws if the operation has an example. */
    show: callerOf(service, (operation, exchange) => {
      if (examples.has(operation)) throw new Error(`${operation} has two examples.`);
      examples.set(operation, shortened(exchange));
    }),
    /** The kept exchanges by operation, in the order in which they were made. */
    examples,
    /** Address of a receiver of webhooks. */
    webhook: receiver.url,
    /** `host:port` of an SFTP server that accepts any key. */
    sftp: `127.0.0.1:${sftp.port}`,
    /** A number that was never used before. */
    fresh: (): number => (last += 1),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};

/** A running service, and the receivers of files and of notices. */
export type Stage = Awaited<ReturnType<typeof openStage>>;

/** An exchange whose answer is cut where it is too long for an example. */
const shortened = ({ request, answer }: Exchange): Exchange => {
  const { body } = answer;
  return body === undefined ? { request, answer } : { request, answer: { ...answer, body: beginOf(body) } };
};

/** Of a page or a picture the first tag; of another text the first line; of the API document, which has the examples, the first fields. */
const beginOf = (body: unknown): unknown => {
  if (typeof body === 'string')
    return `${body.startsWith('<') ? body.slice(0, body.indexOf('>') + 1) : body.split('\n', 1)[0]}…`;
  return v.is(documentBegin, body) ? v.parse(documentBegin, body) : body;
};

const documentBegin = v.object({
  openapi: v.string(),
  info: v.object({ title: v.string(), version: v.string() }),
});
