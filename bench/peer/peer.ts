/** Peer: starts the HTTP service on PostgreSQL, and calls it for the bench. */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { join } from 'node:path';
import * as v from 'valibot';
import { type HttpAnswer, send, type Sent } from '../support/send.ts';
import type { PostgresPrograms } from './installed.ts';
import { type PeerOptions, peerReady } from './messages.ts';
import { openPostgres } from './postgres.ts';

const scriptOf = (name: string): string => join(import.meta.dirname, name);

/** Starts PostgreSQL and the service in front of it. */
export const openPeer = async (programs: PostgresPrograms) => {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await openPostgres(programs));
  await postgres.psql('-1', '-f', scriptOf('schema.sql'), '-f', scriptOf('store-person.sql'));
  const token = randomBytes(32).toString('hex');
  const { host, user, psqlArgs, psql } = postgres;
  const options: PeerOptions = { host, user, psql: programs.psql, psqlArgs, token };
  const child = fork(join(import.meta.dirname, 'server.ts'), [JSON.stringify(options)]);
  const gone = once(child, 'exit');
  stack.defer(async () => {
    if (child.connected) child.disconnect();
    await gone;
  });
  const failed = gone.then(() => {
    throw new Error('the peer has ended');
  });
  failed.catch(() => undefined);
  const [{ url }] = v.parse(peerReady, await Promise.race([once(child, 'message'), failed]));
  const agent = new Agent({ keepAlive: true });
  stack.defer(() => agent.destroy());
  const open = stack.move();
  return {
    /** Calls the service over connections that stay open. */
    call: (method: string, path: string, body?: Sent): Promise<HttpAnswer> =>
      send(agent, `${url}${path}`, { method, token, body }),
    /** Runs SQL, and returns its rows as text. */
    psql: (statement: string): Promise<string> => psql('-c', statement),
    /** The main version of PostgreSQL. */
    version: async (): Promise<number> =>
      Math.floor(Number(await psql('-c', 'show server_version_num')) / 1e4),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
};

/** The running peer. */
export type Peer = Awaited<ReturnType<typeof openPeer>>;
