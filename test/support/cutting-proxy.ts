import { connect, createServer } from 'node:net';
import { listening } from './listening.ts';

/** A way to a port of this machine that breaks. */
export interface CuttingProxy extends AsyncDisposable {
  readonly port: number;
  /** The next connections break once so many bytes went to the server; none does when absent. */
  cutAfter: number | undefined;
}

/** Opens such a way on a free port of loopback. */
export const openCuttingProxy = async (to: number): Promise<CuttingProxy> => {
  const server = createServer({ noDelay: true }, (client) => {
    const there = connect({ port: to, host: '127.0.0.1', noDelay: true });
    let left = proxy.cutAfter ?? Infinity;
    for (const socket of [client, there]) {
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
  const at = await listening(server);
  const proxy: CuttingProxy = {
    port: at.port,
    cutAfter: undefined,
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
  return proxy;
};
