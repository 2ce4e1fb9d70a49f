/** SFTP connection: opens SSH sessions to the servers of clients, with a verified host key. */
import { connect as connectTcp, type Socket } from 'node:net';
import type { Client, SFTPWrapper } from 'ssh2';
import { callInTime } from '../runtime/deadline.ts';
import type { SftpCredential } from './credential.ts';
import { type HostKeyPin, kindsFor, pinOf } from './host-key.ts';

/** The server and the user of a session. */
export interface SshLogin {
  /** Checked addresses, tried in order. */
  readonly addresses: readonly string[];
  readonly port: number;
  readonly username: string;
  readonly credential: SftpCredential;
  /**
   * The key that the server must have. Without a pinned key, a login by key accepts any key; a login by password sends
   * nothing, because another server could read the password.
   */
  readonly pinned: HostKeyPin | undefined;
  /** A connection without traffic for this time (milliseconds) is dead; 30 s when absent. */
  readonly idleMs?: number | undefined;
  /** Longest wait for each address, and for the login (milliseconds); 10 s and 20 s when absent. */
  readonly connectMs?: number | undefined;
  readonly loginMs?: number | undefined;
}

/** An open session. */
export interface SftpSession {
  readonly sftp: SFTPWrapper;
  /** The key that the server showed. */
  readonly hostKey: HostKeyPin;
  close(): void;
}

/** The steps to an open session, in order: checked address, connection, host key, login, start of SFTP. */
export type SessionStep = 'address' | 'connect' | 'host_key' | 'login' | 'session';

/** No session was opened. Clients see the message in the delivery, so it holds no text of the server. */
export class SftpRefusedError extends Error {
  override readonly name = 'SftpRefusedError';
  /** The step that failed. */
  readonly step: SessionStep;
  /** The key that the server showed, if it showed one. */
  readonly hostKey: HostKeyPin | undefined;

  constructor(step: SessionStep, message: string, hostKey?: HostKeyPin) {
    super(message);
    this.step = step;
    this.hostKey = hostKey;
  }
}

/**
 * The error that a client sees while no server has shown a key. A private address, an unknown name, a closed port and
 * the port of another service have the same error, so pushes cannot be used to explore a network.
 */
export const UNREACHABLE = 'no SSH server can be reached there';

const CONNECT_MS = 10_000;
const HANDSHAKE_MS = 20_000;
const IDLE_MS = 30_000;

/** Algorithms without known weaknesses. Authenticated ciphers come first, because they are the fastest here. */
const algorithms = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group16-sha512',
    'diffie-hellman-group18-sha512',
    'diffie-hellman-group14-sha256',
  ],
  cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes192-ctr', 'aes256-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
} as const;

/**
 * Opens a session, the only way to a server: it connects to a checked address, verifies the host key before it
 * authenticates, and logs in. The session ends with the deadline of the running work. Throws
 * `SftpRefusedError`.
 */
export const openSftp = (login: SshLogin): Promise<SftpSession> =>
  callInTime((closed) => openSession(login, closed));

const openSession = async (login: SshLogin, closed: AbortSignal | undefined): Promise<SftpSession> => {
  const socket = await firstSocket(login);
  socket.setNoDelay(true);
  socket.setTimeout(login.idleMs ?? IDLE_MS, () => socket.destroy(new Error('nothing moved')));
  const ssh2 = await import('ssh2');
  const client = new ssh2.default.Client();
  const close = (): void => {
    closed?.removeEventListener('abort', close);
    closeBoth(client, socket);
  };
  closed?.addEventListener('abort', close);
  try {
    closed?.throwIfAborted();
    const hostKey = await handshake(client, socket, login);
    return { sftp: await startSftp(client, hostKey), hostKey, close };
  } catch (error) {
    close();
    throw error;
  }
};

const closeBoth = (client: Client, socket: Socket): void => {
  client.end();
  socket.destroy();
};

const firstSocket = async ({ addresses, port, connectMs = CONNECT_MS }: SshLogin): Promise<Socket> => {
  for (const host of addresses) {
    const socket = await tcp(host, port, connectMs).catch(() => undefined);
    if (socket) return socket;
  }
  throw new SftpRefusedError('connect', UNREACHABLE);
};

const tcp = (host: string, port: number, waitMs: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port });
    const timer = setTimeout(() => socket.destroy(new Error('no answer in time')), waitMs);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });

const handshake = (client: Client, sock: Socket, login: SshLogin): Promise<HostKeyPin> =>
  new Promise((resolve, reject) => {
    let shown: HostKeyPin | undefined;
    let refusal: string | undefined;
    const fail = (error: unknown): void => {
      const { step, reason } = failureOf(error, login, shown);
      reject(new SftpRefusedError(refusal === undefined ? step : 'host_key', refusal ?? reason, shown));
    };
    client.on('ready', () => (shown === undefined ? fail(undefined) : resolve(shown)));
    // Later errors arrive here too; the request that is under way then fails with them.
    client.on('error', fail);
    client.on('close', () => fail(undefined));
    client.connect({
      sock,
      username: login.username,
      ...secretOf(login.credential),
      readyTimeout: login.loginMs ?? HANDSHAKE_MS,
      // ssh2 takes the promise of an asynchronous verifier for `true`, so the verifier must be synchronous.
      hostVerifier: (key: Buffer): boolean => {
        shown = pinOf(key);
        refusal = hostKeyRefusal(login, shown);
        return refusal === undefined;
      },
      algorithms: {
        kex: [...algorithms.kex],
        cipher: [...algorithms.cipher],
        hmac: [...algorithms.hmac],
        compress: [...algorithms.compress],
        serverHostKey: kindsFor(login.pinned),
      },
    });
  });

const secretOf = (
  credential: SftpCredential,
): { privateKey: string; authHandler: ['publickey'] } | { password: string; authHandler: ['password'] } =>
  credential.kind === 'key'
    ? { privateKey: credential.privateKey, authHandler: ['publickey'] }
    : { password: credential.password, authHandler: ['password'] };

/** Why the service does not log in to a server that shows this key; `undefined` when it does. */
const hostKeyRefusal = ({ pinned, credential }: SshLogin, shown: HostKeyPin): string | undefined => {
  const { fingerprint, type } = shown;
  if (pinned?.fingerprint === fingerprint) return undefined;
  if (pinned !== undefined)
    return `the host key has changed: ${pinned.fingerprint} was expected, ${fingerprint} (${type}) came`;
  return credential.kind === 'key'
    ? undefined
    : `the host key ${fingerprint} (${type}) is not accepted yet: name it with PUT host-key before the password is sent`;
};

const startSftp = (client: Client, hostKey: HostKeyPin): Promise<SFTPWrapper> =>
  new Promise((resolve, reject) => {
    const refuse = (message: string): void => reject(new SftpRefusedError('session', message, hostKey));
    client.once('close', () => refuse('the connection was closed'));
    client.sftp((error, sftp) => {
      if (error) refuse('the server offers no SFTP');
      else resolve(sftp);
    });
  });

interface Failure {
  readonly step: SessionStep;
  readonly reason: string;
}

/** The failed step and the reason, without any text of the server. */
const failureOf = (error: unknown, { credential }: SshLogin, shown: HostKeyPin | undefined): Failure => {
  const level = error instanceof Error && 'level' in error ? error.level : undefined;
  if (level === 'handshake') return { step: 'connect', reason: 'no common way of encryption' };
  if (shown === undefined) return { step: 'connect', reason: UNREACHABLE };
  const failed = (reason: string): Failure => ({ step: 'login', reason });
  if (!(error instanceof Error)) return failed('the connection was closed');
  if (level === 'client-authentication') return failed(loginRefusals[credential.kind]);
  if (level === 'client-timeout') return failed('no answer in time');
  if ('code' in error && typeof error.code === 'string') return failed(`connection failed: ${error.code}`);
  return failed('connection failed');
};

/** The reasons of a refused login. */
export const loginRefusals: Readonly<Record<SftpCredential['kind'], string>> = {
  key: 'the server does not take our key',
  password: 'the server does not take the user name and the password',
};
