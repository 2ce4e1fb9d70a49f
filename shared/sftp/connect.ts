/** SFTP connection: opens SSH sessions to the servers of clients, with a verified host key. */
import { connect as connectTcp, type Socket } from 'node:net';
import type { Client, SFTPWrapper } from 'ssh2';
import { callInTime } from '../runtime/deadline.ts';
import type { SftpCredential } from './credential.ts';
import { type HostKeyPin, kindsFor, type PinnedHostKey, pinOf } from './host-key.ts';
import { beginLogin, type Login, type LoginFault, loginFaults } from './login.ts';

/** The server and the user of a session. */
export interface SshLogin {
  /** Checked addresses, tried in order. */
  readonly addresses: readonly string[];
  readonly port: number;
  readonly username: string;
  readonly credential: SftpCredential;
  /**
   * The key that the server must have. Without a pinned key, a login by key accepts any key. A login with a password
   * sends nothing unless a client named the key, because another server could read the password.
   */
  readonly pinned: PinnedHostKey | undefined;
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
  /** Why the server did not let the service in, if it said so. */
  readonly fault: LoginFault | undefined;

  constructor(step: SessionStep, message: string, shown: { hostKey?: HostKeyPin; fault?: LoginFault } = {}) {
    super(message);
    this.step = step;
    this.hostKey = shown.hostKey;
    this.fault = shown.fault;
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
  callInTime((closed) => findKey(login, closed, []));

/**
 * Opens a session with a server whose key may be of any kind: a client may name a fingerprint without its kind, and a
 * server shows one key at each connection. So the service asks for its keys of other kinds than those `shown` in vain.
 */
const findKey = async (
  login: SshLogin,
  closed: AbortSignal | undefined,
  shown: readonly HostKeyPin[],
): Promise<SftpSession> => {
  const { pinned } = login;
  const kinds = kindsFor(pinned, shown);
  try {
    return await openSession(login, closed, kinds);
  } catch (error) {
    if (!(error instanceof SftpRefusedError) || pinned?.type !== null) throw error;
    const { hostKey, message } = error;
    if (shown[0] !== undefined && message === NO_ENCRYPTION)
      throw new SftpRefusedError('host_key', changedKey(pinned, shown), { hostKey: shown[0] });
    if (hostKey === undefined || hostKey.fingerprint === pinned.fingerprint) throw error;
    const all = [...shown, hostKey];
    const left = kindsFor(pinned, all).length;
    if (left > 0 && left < kinds.length) return findKey(login, closed, all);
    throw new SftpRefusedError('host_key', changedKey(pinned, all), { hostKey });
  }
};

const changedKey = ({ fingerprint }: HostKeyPin, shown: readonly HostKeyPin[]): string => {
  const came = shown.map((key) => `${key.fingerprint} (${key.type})`).join(' and ');
  return `the host key has changed: ${fingerprint} was expected, ${came} came`;
};

type HostKeyKinds = ReturnType<typeof kindsFor>;

const openSession = async (
  login: SshLogin,
  closed: AbortSignal | undefined,
  kinds: HostKeyKinds,
): Promise<SftpSession> => {
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
    const hostKey = await handshake(client, socket, login, kinds);
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

const handshake = (client: Client, sock: Socket, login: SshLogin, kinds: HostKeyKinds): Promise<HostKeyPin> =>
  new Promise((resolve, reject) => {
    const proof = beginLogin(login.username, login.credential);
    let hostKey: HostKeyPin | undefined;
    let refusal: string | undefined;
    const fail = (error: unknown): void => {
      const failure =
        refusal === undefined
          ? failureOf(error, proof, hostKey)
          : ({ step: 'host_key', reason: refusal } as const);
      const { step, reason, fault } = { fault: undefined, ...failure };
      reject(new SftpRefusedError(step, reason, { ...(hostKey && { hostKey }), ...(fault && { fault }) }));
    };
    client.on('ready', () => (hostKey === undefined ? fail(undefined) : resolve(hostKey)));
    // Later errors arrive here too; the request that is under way then fails with them.
    client.on('error', fail);
    client.on('close', () => fail(undefined));
    client.on('change password', () => {
      proof.passwordExpired();
      client.end();
    });
    client.connect({
      sock,
      username: login.username,
      authHandler: (left, partial) => proof.next(left, partial),
      readyTimeout: login.loginMs ?? HANDSHAKE_MS,
      // ssh2 takes the promise of an asynchronous verifier for `true`, so the verifier must be synchronous.
      hostVerifier: (key: Buffer): boolean => {
        hostKey = pinOf(key);
        refusal = hostKeyRefusal(login, hostKey);
        return refusal === undefined;
      },
      algorithms: {
        kex: [...algorithms.kex],
        cipher: [...algorithms.cipher],
        hmac: [...algorithms.hmac],
        compress: [...algorithms.compress],
        serverHostKey: kinds,
      },
    });
  });

/** Why the service does not log in to a server that shows this key; `undefined` when it does. */
const hostKeyRefusal = ({ pinned, credential }: SshLogin, shown: HostKeyPin): string | undefined => {
  const { fingerprint, type } = shown;
  if (pinned !== undefined && pinned.fingerprint !== fingerprint) return changedKey(pinned, [shown]);
  if (credential.password === undefined || pinned?.pinned_by === 'request') return undefined;
  return `the host key ${fingerprint} (${type}) is not accepted yet: name it with PUT host-key before the password is sent`;
};

const startSftp = (client: Client, hostKey: HostKeyPin): Promise<SFTPWrapper> =>
  new Promise((resolve, reject) => {
    const refuse = (message: string): void => reject(new SftpRefusedError('session', message, { hostKey }));
    client.once('close', () => refuse('the connection was closed'));
    client.sftp((error, sftp) => {
      if (error) refuse('the server offers no SFTP');
      else resolve(sftp);
    });
  });

interface Failure {
  readonly step: SessionStep;
  readonly reason: string;
  readonly fault?: LoginFault;
}

/** No host key, key exchange or cipher that both sides accept. */
const NO_ENCRYPTION = 'no common way of encryption';

/** The failed step and the reason, without any text of the server. */
const failureOf = (error: unknown, proof: Login, shown: HostKeyPin | undefined): Failure => {
  const level = error instanceof Error && 'level' in error ? error.level : undefined;
  if (level === 'handshake') return { step: 'connect', reason: NO_ENCRYPTION };
  if (shown === undefined) return { step: 'connect', reason: UNREACHABLE };
  const failed = (reason: string): Failure => ({ step: 'login', reason });
  const fault = proof.fault();
  if (level === 'client-authentication' || fault === 'password_expired')
    return { step: 'login', reason: loginFaults[fault], fault };
  if (!(error instanceof Error)) return failed('the connection was closed');
  if (level === 'client-timeout') return failed('no answer in time');
  if ('code' in error && typeof error.code === 'string') return failed(`connection failed: ${error.code}`);
  return failed('connection failed');
};
