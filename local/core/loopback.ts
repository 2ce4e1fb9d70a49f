/** Loopback: servers that only this machine reaches. */
import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';

/** The address on which every server of the embedded cloud listens. */
export const LOOPBACK = '127.0.0.1';

/**
 * Lets a server listen on a port of loopback, by default on a free one, and returns the port. Rejects with the system's
 * error when another process uses the port.
 */
export const listen = (server: Server, port = 0): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', reject);
  server.listen(port, LOOPBACK, () => {
    const address = server.address();
    resolve(typeof address === 'object' && address ? address.port : port);
  });
  return promise;
};

/** Lets an HTTP server listen, as `listen` does. */
export const listenHttp = async (server: HttpServer, port?: number) => {
  const bound = await listen(server, port);
  return {
    url: `http://${LOOPBACK}:${bound}`,
    port: bound,
    /** Closes the server, and the connections of unfinished calls. */
    close: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
