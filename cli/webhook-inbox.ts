/** A webhook receiver on loopback that verifies signatures, for the demo. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook } from '../client/src/index.ts';
import { listen, LOOPBACK } from '../local/core/loopback.ts';

/** A received call, and whether its Standard Webhooks signature is valid for the secret. */
export interface ReceivedCall {
  readonly body: string;
  readonly verified: boolean;
}

interface RawCall {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Opens the receiver on a free port. */
export const openWebhookInbox = async () => {
  const calls: RawCall[] = [];
  let secret = '';
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      calls.push({ headers: request.headers, body: body.toString('utf8') });
      response.writeHead(204).end();
      server.emit('call');
    });
  });
  const port = await listen(server);
  return {
    url: `http://${LOOPBACK}:${port}/exports`,
    /** Sets the secret of the signatures. Earlier calls are verified when they are read. */
    expect: (value: string) => void (secret = value),
    /** The next call. Waits up to `ms` for it; undefined without a call. */
    next: async (ms: number): Promise<ReceivedCall | undefined> => {
      if (calls.length === 0)
        await once(server, 'call', { signal: AbortSignal.timeout(ms) }).catch(() => undefined);
      const call = calls.shift();
      return call && { body: call.body, verified: await isSigned(call, secret) };
    },
    close: () => void server.close(),
  };
};

export type WebhookInbox = Awaited<ReturnType<typeof openWebhookInbox>>;

const isSigned = ({ headers, body }: RawCall, secret: string): Promise<boolean> =>
  verifyWebhook({ secret, headers, body }).then(
    () => true,
    () => false,
  );
