import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { until } from './until.ts';
import { listening } from './listening.ts';

export interface WebhookCall {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A receiver on loopback that keeps its requests. Answers 204, or the result of `status`. */
export const openReceiver = async (status: () => number = () => 204) => {
  const calls: WebhookCall[] = [];
  let taken = 0;
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      calls.push({ headers, body: body.toString('utf8') });
      response.writeHead(status()).end();
    });
  });
  const at = await listening(server);
  return {
    url: `${at.url}/hook`,
    calls,
    /** The next call not yet taken. */
    next: async () => {
      const call = await until('a webhook call', () => calls[taken]);
      taken += 1;
      return call;
    },
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
};
export type Receiver = Awaited<ReturnType<typeof openReceiver>>;
