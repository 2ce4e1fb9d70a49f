import { createServer, type IncomingMessage } from 'node:http';
import { MISDIRECTED, namesThisMachine } from '../core/own-host.ts';
import type { Mail } from '../services/ses/ses.ts';

/** A loopback address that serves the sent mails. */
export interface Inbox {
  readonly url: string;
  close(): Promise<void>;
}

const answerTo = (request: IncomingMessage, mails: () => readonly Mail[]) => {
  if (!namesThisMachine(request))
    return { status: MISDIRECTED.status, body: { message: MISDIRECTED.message } };
  const found = request.url === '/inbox' && request.method === 'GET';
  return found ? { status: 200, body: mails() } : { status: 404, body: { message: 'Not Found' } };
};

/** Serves the mails as JSON, oldest first. */
export const openInbox = async (mails: () => readonly Mail[]): Promise<Inbox> => {
  const server = createServer((request, response) => {
    const { status, body } = answerTo(request, mails);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/inbox`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};
