/**
 * Log lines: what Transfer Family writes into its structured log about logins. The line of a session has the fields of
 * https://docs.aws.amazon.com/transfer/latest/userguide/cw-example-logs.html, and the line of a failed login those of
 * "Using queries to filter log entries" in the same guide.
 */
import { hash } from 'node:crypto';
import { arn } from '../../core/arn.ts';

/** How a client has proved who it is: by the password, or by a key of the user. */
export type Proof =
  | { readonly method: 'password' }
  /** `key` is the blob of the public key (RFC 4253, 6.6), `type` the name of its algorithm. */
  | { readonly method: 'publickey'; readonly key: Buffer; readonly type: string };

/** A login, and the server to which the client came. */
interface LoginFacts {
  readonly serverId: string;
  readonly username: string;
  readonly clientIp: string;
}

/** The stream of the log for failed logins. */
export const ERRORS = 'ERRORS';

const serverArn = (serverId: string): string => arn('transfer', `server/${serverId}`);

/** The line about a session that was opened. Only a login by key has a key. */
export const connectedLine = (
  { serverId, username, clientIp }: LoginFacts,
  opened: {
    readonly sessionId: string;
    readonly role: string;
    readonly client: string;
    readonly proof: Proof;
  },
): Readonly<Record<string, string>> => ({
  role: opened.role,
  'activity-type': 'CONNECTED',
  client: opened.client,
  'source-ip': clientIp,
  'resource-arn': serverArn(serverId),
  'home-dir': 'LOGICAL',
  ...keyFields(opened.proof),
  user: username,
  'session-id': opened.sessionId,
});

const keyFields = (proof: Proof): Readonly<Record<string, string>> =>
  proof.method === 'password'
    ? {}
    : {
        'ssh-public-key': proof.key.toString('base64'),
        // A hash of 32 bytes ends in one padding character, which the line does not have.
        'ssh-public-key-fingerprint': `SHA256:${hash('sha256', proof.key, 'base64').replace('=', '')}`,
        'ssh-public-key-type': proof.type,
      };

/** The line about a login that was refused. It belongs to no session. */
export const authFailureLine = (
  { serverId, username, clientIp }: LoginFacts,
  method: Proof['method'],
): Readonly<Record<string, string>> => ({
  method,
  'activity-type': 'AUTH_FAILURE',
  'source-ip': clientIp,
  'resource-arn': serverArn(serverId),
  message: 'Invalid user name or password',
  user: username,
});
