/** Own host: tells requests that name this machine from those of web pages whose name leads to it (DNS rebinding). */
import type { IncomingMessage } from 'node:http';

const NAMES = ['127.0.0.1', 'localhost', '[::1]'];
const HTTP_PORT = 80;

/**
 * Whether the `Host` of a request is this machine with the port of its server. A page of any site can let its own name
 * lead to the loopback interface. The browser then takes the answers for those of the site, but it says the name.
 */
export const namesThisMachine = ({ headers, socket }: IncomingMessage): boolean => {
  const host = headers.host?.toLowerCase() ?? '';
  const port = socket.localPort ?? 0;
  return NAMES.some((name) => host === `${name}:${port}` || (port === HTTP_PORT && host === name));
};

/** What the servers answer to any other `Host` (RFC 9110, 15.5.20). */
export const MISDIRECTED = { status: 421, message: 'Misdirected Request' } as const;
