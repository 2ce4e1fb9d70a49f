import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { listening } from './listening.ts';

/** ProFTPD's SFTP on a free port of loopback, with one user who exists nowhere else. */
export interface Proftpd extends AsyncDisposable {
  readonly port: number;
  readonly username: string;
  readonly password: string;
  /** Where one is after logging in. */
  readonly folder: string;
}

interface ProftpdOptions {
  /** A line of `authorized_keys`. */
  readonly publicKey: string;
  /** Its `SFTPAuthMethods`. */
  readonly methods?: string;
  /** More lines of its configuration. */
  readonly lines?: readonly string[];
}

const username = 'PARTNER\\ann';
const password = 'secret';

/** The password as `openssl passwd -6` prints it. */
const hashed =
  '$6$abcdefgh$ltjgWl6579NluT/Vi1nwEvcil.G5Nbc4NiXZaNGStk8PSwGfQv72N2CKPPrVACtLtip/cZ/1GM/O6IND4WQhG.';

/** Starts ProFTPD for each connection, as inetd does: so the port is the system's choice, and nothing outlives the test. */
export const openProftpd = async (proftpd: string, options: ProftpdOptions): Promise<Proftpd> => {
  const home = await mkdtemp(join(tmpdir(), 'tidemark-proftpd-'));
  const folder = join(home, 'files');
  await mkdir(folder);
  const { uid, gid } = userInfo();
  const write = (name: string, text: string) => writeFile(join(home, name), text, { mode: 0o600 });
  await write('passwd', `${username}:${hashed}:${uid}:${gid}::${folder}:/bin/sh\n`);
  await write('group', `files:x:${gid}:\n`);
  await write('key.pub', `${options.publicKey}\n`);
  await write('keys', execFileSync('ssh-keygen', ['-e', '-f', join(home, 'key.pub')]).toString());
  execFileSync('ssh-keygen', [
    '-q',
    '-t',
    'rsa',
    '-b',
    '2048',
    '-m',
    'PEM',
    '-N',
    '',
    '-f',
    join(home, 'host-key'),
  ]);
  await write('config', configOf(home, options));
  const children = new Set<ChildProcess>();
  const serve = (socket: Socket): void => {
    const child = spawn(proftpd, ['-q', '-c', join(home, 'config')], { stdio: [socket, socket, 'ignore'] });
    children.add(child);
    child.on('exit', () => children.delete(child));
    socket.destroy();
  };
  const server = createServer({ pauseOnConnect: true }, serve);
  const at = await listening(server);
  return {
    ...{ username, password, folder },
    port: at.port,
    [Symbol.asyncDispose]: async () => {
      await at[Symbol.asyncDispose]();
      for (const child of children) child.kill('SIGKILL');
      await rm(home, { recursive: true, force: true });
    },
  };
};

const configOf = (home: string, { methods = 'publickey', lines = [] }: ProftpdOptions): string =>
  [
    'ModulePath /usr/lib/proftpd',
    'LoadModule mod_sftp.c',
    'ServerType inetd',
    'DefaultAddress 127.0.0.1',
    'UseIPv6 off',
    `User ${userInfo().username}`,
    'Group nogroup',
    `PidFile ${join(home, 'pid')}`,
    `ScoreboardFile ${join(home, 'scoreboard')}`,
    'DelayEngine off',
    'WtmpLog off',
    'TransferLog none',
    `SystemLog ${join(home, 'log')}`,
    'AuthOrder mod_auth_file.c',
    `AuthUserFile ${join(home, 'passwd')}`,
    `AuthGroupFile ${join(home, 'group')}`,
    'RequireValidShell off',
    'RootLogin on',
    'AllowOverwrite on',
    'SFTPEngine on',
    `SFTPHostKey ${join(home, 'host-key')}`,
    `SFTPAuthorizedUserKeys file:${join(home, 'keys')}`,
    `SFTPAuthMethods ${methods}`,
    ...lines,
    '',
  ].join('\n');
