/**
 * Transfer Family of the embedded cloud: an SFTP server on loopback. The identity function of the template
 * authenticates the users and maps their directories. Uploads become objects in S3, and EventBridge receives an event
 * per file.
 *
 *     const transfer = await openTransfer({ serverId, hostKey, s3, ask, permitOf, publish, log, now });
 *     sftp -P <transfer.port> demo@127.0.0.1
 *     await transfer.close();
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2, { type CipherAlgorithm, type ClientInfo, type Connection, type SFTPWrapper } from 'ssh2';
import type { Faults } from '../../core/faults.ts';
import { listen, LOOPBACK } from '../../core/loopback.ts';
import { fileTransferEvent } from '../events/file-transfer.ts';
import type { BusEvent } from '../events/object-created.ts';
import type { DirectCalls } from '../s3/direct.ts';
import type { Identity, Permit, Question } from './identity.ts';
import { authFailureLine, connectedLine, ERRORS } from './log-lines.ts';
import { createLogin } from './login.ts';
import { serveSession } from './session.ts';

export interface TransferDeps {
  readonly serverId: string;
  /** Private key of the host, in OpenSSH's format. */
  readonly hostKey: string;
  readonly s3: DirectCalls;
  readonly ask: (question: Question) => Promise<Identity | undefined>;
  /** The permissions of a user's sessions. */
  readonly permitOf: (identity: Identity) => Permit;
  readonly publish: (event: BusEvent) => void;
  /** Writes a line into a stream of the structured log. */
  readonly log: (stream: string, line: Readonly<Record<string, string>>) => void;
  readonly now: () => number;
  /** Loses events. Transfer Family delivers them "on a best effort basis" (Transfer Family User Guide). */
  readonly faults?: Faults | undefined;
}

/** The ciphers of the security policy in the template; the fastest on a laptop first. */
const CIPHERS: CipherAlgorithm[] = [
  'aes128-gcm@openssh.com',
  'aes256-gcm@openssh.com',
  'aes256-ctr',
  'aes192-ctr',
  'aes128-ctr',
];

/** Bytes of the id of a session; a connection is one session. */
const SESSION_ID_BYTES = 10;

/** Opens the server on a free port of loopback. */
export const openTransfer = async (options: TransferDeps) => {
  const folder = mkdtempSync(join(tmpdir(), 'embedded-sftp-'));
  const sockets = new Set<Socket>();
  const sessions = new Set<Promise<void>>();
  const settings = { hostKeys: [options.hostKey], ident: 'AWS_SFTP_1.1', algorithms: { cipher: CIPHERS } };
  const ssh = new ssh2.Server(settings, (connection, info) =>
    serveConnection({ ...options, folder }, connection, info, (session) => {
      sessions.add(session);
      void session.finally(() => sessions.delete(session)).catch(() => undefined);
    }),
  );
  // Answers are small. Without noDelay the socket would hold each answer back until the next.
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    ssh.injectSocket(socket);
  });
  return {
    host: LOOPBACK,
    port: await listen(server),
    /** Ends all connections. Unfinished uploads become objects with the bytes so far. */
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
      await Promise.allSettled(sessions);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** The running server. */
export type Transfer = Awaited<ReturnType<typeof openTransfer>>;

/**
 * Ends a session as OpenSSH's own server does: sends an exit status and lets the client close the connection. `scp` fails
 * without an exit status, and also when the connection ends before `scp` has read the status.
 */
const endSession = (sftp: SFTPWrapper): void => {
  if (sftp.outgoing.state === 'open') sftp._protocol.exitStatus(sftp.outgoing.id, 0);
  sftp.end();
};

type ConnectionParts = TransferDeps & { readonly folder: string };

const serveConnection = (
  parts: ConnectionParts,
  connection: Connection,
  { ip: clientIp, header }: ClientInfo,
  track: (session: Promise<void>) => void,
): void => {
  const { serverId, ask, log, now, faults } = parts;
  const sessionId = randomBytes(SESSION_ID_BYTES).toString('hex');
  let user: { readonly name: string; readonly identity: Identity } | undefined;
  const login = createLogin(
    (username, password) =>
      ask({
        username,
        ...(password === undefined ? {} : { password }),
        protocol: 'SFTP',
        serverId,
        sourceIp: clientIp,
      }),
    {
      admitted: (username, identity, proof) => {
        user = { name: username, identity };
        const client = `SSH-${header.versions.protocol}-${header.versions.software}`;
        const opened = { sessionId, role: identity.Role, client, proof };
        log(`${username}.${sessionId}`, connectedLine({ serverId, username, clientIp }, opened));
      },
      refused: (username, method) => log(ERRORS, authFailureLine({ serverId, username, clientIp }, method)),
      giveUp: () => connection.end(),
    },
  );
  connection.on('authentication', login);
  // A client that disconnects or violates the protocol only ends its own connection.
  connection.on('error', () => undefined);
  connection.on('session', (accept) => {
    accept().on('sftp', (acceptSftp) => {
      const sftp = acceptSftp();
      if (!user) {
        connection.end();
        return;
      }
      const { name: username, identity } = user;
      const context = { serverId, username, sessionId, clientIp };
      const session = serveSession(sftp, {
        ...parts,
        identity,
        permit: parts.permitOf(identity),
        publish: (started, operation) => {
          if (faults?.decide('lose', 'transfer') === true) return;
          parts.publish(fileTransferEvent({ ...context, started, ended: now() }, operation));
        },
      }).finally(() => endSession(sftp));
      track(session);
    });
  });
};
