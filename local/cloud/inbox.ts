import { createServer } from 'node:http';
import type { Mail } from '../services/ses/ses.ts';

/** A loopback address that serves the sent mails. */
export interface Inbox {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the mails as JSON, oldest first. */
export const openInbox = async (mails: () => readonly Mail[]): Promise<Inbox> => {
  const server = createServer((request, response) => {
    const found = request.url === '/inbox' && request.method === 'GET';
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ? mails() : { message: 'Not Found' }));
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
