import { once } from 'node:events';
import { createServer } from 'node:net';
import { listen } from '../../local/core/loopback.ts';

/** A port of loopback that is free now, for a program that must be told its port. */
export const freePort = async (): Promise<number> => {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
};
