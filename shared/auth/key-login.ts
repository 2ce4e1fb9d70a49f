/** Key logins: reads logins over SFTP by key from the log of Transfer Family, for the audit log. */
import * as v from 'valibot';
import type { AuditTrail } from '../audit/audit-trail.ts';
import { sha256 } from '../runtime/hash.ts';
import type { Log } from '../runtime/log.ts';
import { mapLimited } from '../runtime/pool.ts';
import type { LogLine } from '../runtime/subscribed-lines.ts';
import type { Table } from '../table/table.ts';
import { readUser } from './change-user.ts';
import { recordToldLogin } from './record-login.ts';

export interface KeyLoginDeps {
  /** For the account of a user: a line only has the user name. */
  readonly credentials: Pick<Table, 'get'>;
  readonly audit: Pick<AuditTrail, 'add'>;
  readonly log: Log;
}

/**
 * A line of Transfer Family about a session that it has opened, after it checked the signature or the password.
 * https://docs.aws.amazon.com/transfer/latest/userguide/cw-example-logs.html has this line, with these fields;
 * https://docs.aws.amazon.com/transfer/latest/userguide/cw-structure-logs.html says what the fields mean.
 */
const connected = v.object({
  'activity-type': v.literal('CONNECTED'),
  'session-id': v.pipe(v.string(), v.nonEmpty()),
  user: v.string(),
  'source-ip': v.string(),
  /** The key of the login, as `ssh-keygen -l` prints it. A login by password has none. */
  'ssh-public-key-fingerprint': v.optional(v.pipe(v.string(), v.maxLength(100))),
});
const connectedLine = v.pipe(v.string(), v.parseJson(), connected);

const LINES_AT_ONCE = 10;
const ID_LENGTH = 32;

/**
 * Records each login by key in the audit log of the user's account, with the time of its line. The entry is named after
 * the session, so a line that comes again adds nothing. A login by password is left out: `sftpLogin` checked the password
 * itself and has recorded the login before anybody was let in, so each login has one entry that says `admitted`. The user
 * of a line may be deleted by now; then only the log has the login. Throws when an entry cannot be stored.
 */
export const recordKeyLogins = async (deps: KeyLoginDeps, lines: readonly LogLine[]): Promise<void> => {
  await mapLimited(lines, LINES_AT_ONCE, (line) => recordKeyLogin(deps, line));
};

const recordKeyLogin = async (deps: KeyLoginDeps, { timestamp, message }: LogLine): Promise<void> => {
  const read = v.safeParse(connectedLine, message);
  if (!read.success) {
    deps.log('message.unknown', { action: 'sftp.login' });
    return;
  }
  const { user: username, 'source-ip': sourceIp, 'ssh-public-key-fingerprint': key } = read.output;
  if (key === undefined) return;
  await recordToldLogin(deps, {
    way: 'sftp.login',
    user: await readUser(deps.credentials, username),
    sourceIp,
    requestId: sha256(`sftp.login\n${read.output['session-id']}`).slice(0, ID_LENGTH),
    outcome: 'admitted',
    time: timestamp,
    ids: { ssh_key: key },
  });
};
