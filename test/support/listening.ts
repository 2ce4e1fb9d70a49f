import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { listen, LOOPBACK } from '../../local/core/loopback.ts';

/** Lets a server listen on a free port of loopback. Its end breaks all connections. */
export const listening = async (server: Server) => {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
  });
  const port = await listen(server);
  return {
    port,
    /** Its address, for HTTP. */
    url: `http://${LOOPBACK}:${port}`,
    /** All connections so far. */
    sockets,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};

export type Listening = Awaited<ReturnType<typeof listening>>;
