import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { programPath } from '../../local/test/support/installed.ts';
import { homeOf, inetd } from './inetd.ts';

type HostKeyType = 'ed25519' | 'rsa' | 'ecdsa';

/** Settings of a server that is not as OpenSSH comes. */
export interface SshdOptions {
  /** Requests of SFTP that it refuses, as `internal-sftp -P` names them. */
  readonly refuses?: string;
  /** Its `AuthenticationMethods`; a password needs `password`, and the Debian package libpam-wrapper. */
  readonly methods?: string;
  readonly password?: string;
  /** The kinds of its host keys; it has them all at once. */
  readonly hostKeyTypes?: readonly HostKeyType[];
}

/**
 * OpenSSH's own server on a free port of loopback, serving SFTP to the user that runs the tests. Starts `sshd -i` for each
 * connection.
 */
export const openSshd = async (sshd: string, options: SshdOptions = {}) => {
  const own = await homeOf('sshd');
  const { home, folder } = own;
  // sshd of root wants a folder to lock itself into.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const { hostKeyTypes = ['ed25519'] } = options;
  const hostKeys = hostKeyTypes.map((type, index) => newHostKey(home, index, type));
  let hostKey = hostKeys[0] ?? '';
  let most: number | undefined;
  const start = (socket: Socket) => {
    const shownKeys = options.hostKeyTypes ? hostKeys : [hostKey];
    const command = [
      sshd,
      '-i',
      '-e',
      '-f',
      join(home, 'config'),
      ...shownKeys.flatMap((key) => ['-h', key]),
    ];
    // The shell counts in blocks of 512 bytes; a write beyond them fails, when its signal is ignored.
    const limit = most === undefined ? '' : `trap '' XFSZ; ulimit -f ${most * 2};`;
    return spawn('/bin/sh', ['-c', `${limit} exec "$@"`, 'sh', ...command], {
      stdio: [socket, socket, 'ignore'],
      ...(options.password === undefined ? {} : { env: pamOf(home) }),
    });
  };
  await writeFile(join(home, 'config'), configOf(home, folder, options));
  if (options.password !== undefined) await writePam(home, options.password);
  await writeFile(join(home, 'authorized_keys'), '');
  const server = await inetd(own, start);
  return {
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
    domain: `127.0.0.1:${server.port}`,
    username: userInfo().username,
    /** Where one is after logging in. */
    folder,
    authorize: (publicKey: string) => writeFile(join(home, 'authorized_keys'), `${publicKey}\n`),
    /** Sets the host key from the next connection on: a new key, or an earlier one (0 is the first). */
    changeHostKey: (index?: number) => {
      const had = index === undefined ? undefined : hostKeys[index];
      if (had === undefined) hostKeys.push(newHostKey(home, hostKeys.length));
      hostKey = had ?? hostKeys.at(-1) ?? hostKey;
    },
    /** Lets no file grow beyond this from the next connection on, as if the disk were full; in KB. */
    limitFiles: (kilobytes: number | undefined) => {
      most = kilobytes;
    },
    /** Its host key's, as OpenSSH tells it; of a kind if it has several. */
    fingerprint: (type?: HostKeyType) => {
      const key = type === undefined ? hostKey : hostKeys[hostKeyTypes.indexOf(type)];
      return /SHA256:\S+/.exec(execFileSync('ssh-keygen', ['-l', '-f', `${key}.pub`]).toString())?.[0];
    },
  };
};

export type Sshd = Awaited<ReturnType<typeof openSshd>>;

const newHostKey = (home: string, index: number, type: HostKeyType = 'ed25519'): string => {
  const path = join(home, `host-key-${index}`);
  const bits = type === 'rsa' ? ['-b', '2048'] : [];
  execFileSync('ssh-keygen', ['-q', '-t', type, ...bits, '-N', '', '-f', path]);
  return path;
};

const configOf = (
  home: string,
  folder: string,
  { refuses, methods = 'publickey', password }: SshdOptions,
): string =>
  [
    `AuthorizedKeysFile ${join(home, 'authorized_keys')}`,
    `AuthenticationMethods ${methods}`,
    'PermitRootLogin yes',
    'StrictModes no',
    `UsePAM ${password === undefined ? 'no' : 'yes'}`,
    `PasswordAuthentication ${/password/.test(methods) ? 'yes' : 'no'}`,
    `KbdInteractiveAuthentication ${/keyboard/.test(methods) ? 'yes' : 'no'}`,
    'PidFile none',
    'Subsystem sftp internal-sftp',
    `ForceCommand internal-sftp -d ${folder}${refuses === undefined ? '' : ` -P ${refuses}`}`,
    '',
  ].join('\n');

/** The surroundings of an sshd whose passwords are those of `writePam`, and none of the machine. */
const pamOf = (home: string): NodeJS.ProcessEnv => ({
  ...process.env,
  LD_PRELOAD: programPath('libpam_wrapper.so') ?? '',
  PAM_WRAPPER: '1',
  PAM_WRAPPER_SERVICE_DIR: join(home, 'pam'),
});

const writePam = async (home: string, password: string): Promise<void> => {
  const module = join(dirname(programPath('libpam_wrapper.so') ?? ''), 'pam_wrapper', 'pam_matrix.so');
  const passwords = join(home, 'passwords');
  const rules = ['auth', 'account'].map((kind) => `${kind} required ${module} passdb=${passwords}`);
  await mkdir(join(home, 'pam'));
  await writeFile(join(home, 'pam', 'sshd'), [...rules, 'session required pam_permit.so', ''].join('\n'));
  await writeFile(passwords, `${userInfo().username}:${password}:sshd\n`);
};
