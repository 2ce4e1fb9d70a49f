/** SFTP connection: opens SSH sessions to the servers of clients, with a verified host key. */
import { connect as connectTcp, type Socket } from 'node:net';
import type { Client, SFTPWrapper } from 'ssh2';
import { callInTime } from '../runtime/deadline.ts';
import { type HostKeyPin, kindsFor, pinOf } from './host-key.ts';

/** The server and the user of a session. */
export interface SshLogin {
  /** Checked addresses, tried in order. */
  readonly addresses: readonly string[];
  readonly port: number;
  readonly username: string;
  readonly privateKey: string;
  /** The key that the server must have; without a pinned key, any key is accepted. */
  readonly pinned: HostKeyPin | undefined;
  /** A connection without traffic for this time (milliseconds) is dead; 30 s when absent. */
  readonly idleMs?: number | undefined;
}

/** An open session. */
export interface SftpSession {
  readonly sftp: SFTPWrapper;
  /** The key that the server showed. */
  readonly hostKey: HostKeyPin;
  close(): void;
}

/** No session was opened. Clients see the message in the delivery, so it holds no text of the server. */
export class SftpRefusedError extends Error {
  override readonly name = 'SftpRefusedError';
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
 * authenticates, and logs in by public key only. The session ends with the deadline of the running work. Throws
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
    return { sftp: await startSftp(client), hostKey, close };
  } catch (error) {
    close();
    throw error;
  }
};

const closeBoth = (client: Client, socket: Socket): void => {
  client.end();
  socket.destroy();
};

const firstSocket = async ({ addresses, port }: SshLogin): Promise<Socket> => {
  for (const host of addresses) {
    const socket = await tcp(host, port).catch(() => undefined);
    if (socket) return socket;
  }
  throw new SftpRefusedError(UNREACHABLE);
};

const tcp = (host: string, port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port });
    const timer = setTimeout(() => socket.destroy(new Error('no answer in time')), CONNECT_MS);
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
    const fail = (error: unknown): void =>
      reject(new SftpRefusedError(refusal ?? reasonOf(error, shown !== undefined)));
    client.on('ready', () => (shown === undefined ? fail(undefined) : resolve(shown)));
    // Later errors arrive here too; the request that is under way then fails with them.
    client.on('error', fail);
    client.on('close', () => fail(undefined));
    client.connect({
      sock,
      username: login.username,
      privateKey: login.privateKey,
      authHandler: ['publickey'],
      readyTimeout: HANDSHAKE_MS,
      // ssh2 takes the promise of an asynchronous verifier for `true`, so the verifier must be synchronous.
      hostVerifier: (key: Buffer): boolean => {
        shown = pinOf(key);
        if (login.pinned === undefined || shown.fingerprint === login.pinned.fingerprint) return true;
        refusal = `the host key has changed: ${login.pinned.fingerprint} was expected, ${shown.fingerprint} (${shown.type}) came`;
        return false;
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

const startSftp = (client: Client): Promise<SFTPWrapper> =>
  new Promise((resolve, reject) => {
    client.once('close', () => reject(new SftpRefusedError('the connection was closed')));
    client.sftp((error, sftp) => {
      if (error) reject(new SftpRefusedError('the server offers no SFTP'));
      else resolve(sftp);
    });
  });

/** The reason of a failure, without any text of the server. */
const reasonOf = (error: unknown, isServer: boolean): string => {
  if (error instanceof Error && 'level' in error && error.level === 'handshake')
    return 'no common way of encryption';
  if (!isServer) return UNREACHABLE;
  if (!(error instanceof Error)) return 'the connection was closed';
  if ('level' in error && error.level === 'client-authentication') return 'the server does not take our key';
  if ('level' in error && error.level === 'client-timeout') return 'no answer in time';
  if ('code' in error && typeof error.code === 'string') return `connection failed: ${error.code}`;
  return 'connection failed';
};
