import { once } from 'node:events';
import type { Server, Socket } from 'node:net';

/** A server that listens on a free port of loopback. Its end breaks all connections. */
export interface Listening extends AsyncDisposable {
  readonly port: number;
  /** Its address, for HTTP. */
  readonly url: string;
  /** All connections so far. */
  readonly sockets: readonly Socket[];
}

/** Lets a server listen. */
export const listening = async (server: Server): Promise<Listening> => {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
