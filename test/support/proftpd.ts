import { execFileSync, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { homeOf, inetd } from './inetd.ts';

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

/** Opens ProFTPD's SFTP on a free port of loopback, with one user who exists nowhere else. It starts for each connection. */
export const openProftpd = async (proftpd: string, options: ProftpdOptions) => {
  const own = await homeOf('proftpd');
  const { home, folder } = own;
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
  const server = await inetd(own, (socket) =>
    spawn(proftpd, ['-q', '-c', join(home, 'config')], { stdio: [socket, socket, 'ignore'] }),
  );
  return { ...server, username, password, folder };
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
