import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a port of this machine that breaks. */
export interface CuttingProxy extends AsyncDisposable {
  readonly port: number;
  /** The next connections break once so many bytes went to the server; none does when absent. */
  cutAfter: number | undefined;
}

/** Opens such a way on a free port of loopback. */
export const openCuttingProxy = async (to: number): Promise<CuttingProxy> => {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const there = connect(to, '127.0.0.1');
    let left = proxy.cutAfter ?? Infinity;
    for (const socket of [client, there]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        there.destroy();
      });
    }
    there.pipe(client);
    client.on('data', (bytes) => {
      there.write(bytes.subarray(0, left));
      left -= bytes.length;
      if (left <= 0) client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const proxy: CuttingProxy = {
    port: address.port,
    cutAfter: undefined,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
};
