import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** OpenSSH's own server on a free port of loopback, serving SFTP to the user that runs the tests. */
export interface Sshd extends AsyncDisposable {
  readonly domain: string;
  readonly username: string;
  /** Where one is after logging in. */
  readonly folder: string;
  authorize(publicKey: string): Promise<void>;
  /** Sets the host key from the next connection on: a new key, or an earlier one (0 is the first). */
  changeHostKey(index?: number): void;
  /** Lets no file grow beyond this from the next connection on, as if the disk were full; in KB. */
  limitFiles(kilobytes: number | undefined): void;
  /** Its host key's, as OpenSSH tells it. */
  fingerprint(): string | undefined;
}

/** Starts `sshd -i` for each connection: so the port is the system's choice, and nothing outlives the test. */
export const openSshd = async (sshd: string): Promise<Sshd> => {
  const home = await mkdtemp(join(tmpdir(), 'tidemark-sshd-'));
  const folder = join(home, 'files');
  await mkdir(folder);
  // sshd of root wants a folder to lock itself into.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const hostKeys = [newHostKey(home, 0)];
  let hostKey = hostKeys[0] ?? '';
  let most: number | undefined;
  const children = new Set<ChildProcess>();
  const serve = (socket: Socket): void => {
    const command = [sshd, '-i', '-e', '-f', join(home, 'config'), '-h', hostKey];
    // The shell counts in blocks of 512 bytes; a write beyond them fails, when its signal is ignored.
    const limit = most === undefined ? '' : `trap '' XFSZ; ulimit -f ${most * 2};`;
    const child = spawn('/bin/sh', ['-c', `${limit} exec "$@"`, 'sh', ...command], {
      stdio: [socket, socket, 'ignore'],
    });
    children.add(child);
    child.on('exit', () => children.delete(child));
    socket.destroy();
  };
  await writeFile(join(home, 'config'), configOf(home, folder));
  await writeFile(join(home, 'authorized_keys'), '');
  const server = createServer({ pauseOnConnect: true }, serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('sshd has no port');
  return {
    domain: `127.0.0.1:${address.port}`,
    username: userInfo().username,
    folder,
    authorize: (publicKey) => writeFile(join(home, 'authorized_keys'), `${publicKey}\n`),
    changeHostKey: (index) => {
      const had = index === undefined ? undefined : hostKeys[index];
      if (had === undefined) hostKeys.push(newHostKey(home, hostKeys.length));
      hostKey = had ?? hostKeys.at(-1) ?? hostKey;
    },
    limitFiles: (kilobytes) => {
      most = kilobytes;
    },
    fingerprint: () =>
      /SHA256:\S+/.exec(execFileSync('ssh-keygen', ['-l', '-f', `${hostKey}.pub`]).toString())?.[0],
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const child of children) child.kill('SIGKILL');
      await rm(home, { recursive: true, force: true });
    },
  };
};

const newHostKey = (home: string, index: number): string => {
  const path = join(home, `host-key-${index}`);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path]);
  return path;
};

const configOf = (home: string, folder: string): string =>
  [
    `AuthorizedKeysFile ${join(home, 'authorized_keys')}`,
    'AuthenticationMethods publickey',
    'PermitRootLogin prohibit-password',
    'StrictModes no',
    'UsePAM no',
    'PidFile none',
    'Subsystem sftp internal-sftp',
    `ForceCommand internal-sftp -d ${folder}`,
    '',
  ].join('\n');
