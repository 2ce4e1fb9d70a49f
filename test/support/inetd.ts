import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listening } from './listening.ts';

interface Home {
  /** Where the server has its configuration. */
  readonly home: string;
  /** The folder in it that the server shows its user. */
  readonly folder: string;
}

/** Makes a server's home; it goes with the server. */
export const homeOf = async (name: string): Promise<Home> => {
  const home = await mkdtemp(join(tmpdir(), `tidemark-${name}-`));
  const folder = join(home, 'files');
  await mkdir(folder);
  return { home, folder };
};

/** Starts a process for each connection, as inetd does: so the port is the system's choice, and nothing outlives the test. */
export const inetd = async ({ home }: Home, start: (socket: Socket) => ChildProcess) => {
  const children = new Set<ChildProcess>();
  const serve = (socket: Socket): void => {
    const child = start(socket);
    children.add(child);
    child.on('exit', () => children.delete(child));
    socket.destroy();
  };
  const at = await listening(createServer({ pauseOnConnect: true }, serve));
  return {
    port: at.port,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await at[Symbol.asyncDispose]();
      for (const child of children) child.kill('SIGKILL');
      await rm(home, { recursive: true, force: true });
    },
  };
};
