import { createServer, type IncomingMessage } from 'node:http';
import { listenHttp } from '../core/loopback.ts';
import { MISDIRECTED, namesThisMachine } from '../core/own-host.ts';
import type { Mail } from '../services/ses/ses.ts';

const answerTo = (request: IncomingMessage, mails: () => readonly Mail[]) => {
  if (!namesThisMachine(request))
    return { status: MISDIRECTED.status, body: { message: MISDIRECTED.message } };
  const found = request.url === '/inbox' && request.method === 'GET';
  return found ? { status: 200, body: mails() } : { status: 404, body: { message: 'Not Found' } };
};

/** Opens a loopback address that serves the sent mails as JSON, oldest first. */
export const openInbox = async (mails: () => readonly Mail[]) => {
  const server = createServer((request, response) => {
    const { status, body } = answerTo(request, mails);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  const { url, close } = await listenHttp(server);
  return { url: `${url}/inbox`, close };
};
