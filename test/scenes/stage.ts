/** Stage: a running service with what it reaches, on which scenes call operations. Keeps the calls that are examples. */
import * as v from 'valibot';
import type { Exchange, Examples } from '../../functions/edge/openapi/examples.ts';
import type { TidemarkOptions } from '../../cli/standalone/tidemark.ts';
import { startService, type TestService } from '../support/service.ts';
import { openSftpServer } from '../support/sftp-server.ts';
import { openReceiver } from '../support/webhook-receiver.ts';
import { callerOf, type Call } from './operations.ts';

/** A running service, and the receivers of files and of notices. */
export interface Stage extends AsyncDisposable {
  readonly service: TestService;
  readonly call: Call;
  /** The same, and keeps the exchange as the example of the operation. Throws if the operation has an example. */
  readonly show: Call;
  /** The kept exchanges by operation, in the order in which they were made. */
  readonly examples: Examples;
  /** Address of a receiver of webhooks. */
  readonly webhook: string;
  /** `host:port` of an SFTP server that accepts any key. */
  readonly sftp: string;
  /** A number that was never used before. */
  readonly fresh: () => number;
}

/** Starts a service and its receivers. */
export const openStage = async (options?: TidemarkOptions): Promise<Stage> => {
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
    show: callerOf(service, (operation, exchange) => {
      if (examples.has(operation)) throw new Error(`${operation} has two examples.`);
      examples.set(operation, shortened(exchange));
    }),
    examples,
    webhook: receiver.url,
    sftp: `127.0.0.1:${sftp.port}`,
    fresh: () => (last += 1),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};

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
