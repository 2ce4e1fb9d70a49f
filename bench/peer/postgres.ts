/** Postgres: a PostgreSQL server in a temporary folder, on a Unix socket, for the time of a scope. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/folder.ts';
import type { PostgresPrograms } from './installed.ts';

const run = promisify(execFile);

/**
 * The defaults of version 15 but for memory and the size of the log, as one sets them on a machine with some gigabytes. So
 * `fsync` and `synchronous_commit` are on: a commit is on the disk before it is answered.
 */
const SETTINGS = {
  listen_addresses: '',
  shared_buffers: '1GB',
  work_mem: '64MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '4GB',
} as const;

/** The superuser of the server; nobody else can reach its socket. */
const USER = 'peer';

const STARTS_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;

/** PostgreSQL refuses to run as root, so root runs it as somebody else. */
const owner = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const ask = (flag: string): number => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
      return { uid: ask('-u'), gid: ask('-g') };
    } catch {
      // There is no such user.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody');
};

/** Starts a server with an empty database, and waits until it answers. */
export const openPostgres = async (programs: PostgresPrograms) => {
  const folder = await temporaryFolder();
  const { uid, gid } = owner();
  if (uid !== undefined && gid !== undefined) await chown(folder.path, uid, gid);
  const as = { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }), cwd: folder.path };
  const data = join(folder.path, 'data');
  await run(programs.initdb, ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--no-locale'], as);
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: folder.path });
  const args = ['-D', data, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const server = spawn(programs.postgres, args, { ...as, stdio: 'ignore' });
  const gone = once(server, 'exit');
  const psqlArgs = [
    '-X',
    '-q',
    '-A',
    '-t',
    '-v',
    'ON_ERROR_STOP=1',
    '-h',
    folder.path,
    '-U',
    USER,
    'postgres',
  ];
  const psql = async (...more: readonly string[]): Promise<string> =>
    (await run(programs.psql, [...psqlArgs, ...more])).stdout.trim();
  const stop = async (): Promise<void> => {
    // PostgreSQL then ends its sessions, and writes its open data to the disk.
    server.kill('SIGINT');
    await gone;
    await folder[Symbol.asyncDispose]();
  };
  for (const until = Date.now() + STARTS_WITHIN_MS; ;) {
    try {
      await psql('-c', 'select 1');
      break;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > until) {
        await stop();
        throw error;
      }
      await setTimeout(LOOK_EVERY_MS);
    }
  }
  return {
    /** The folder of the socket. */
    host: folder.path,
    user: USER,
    psqlArgs,
    /** Runs SQL, and returns its rows as text. */
    psql,
    [Symbol.asyncDispose]: stop,
  };
};
