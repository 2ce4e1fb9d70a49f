/** What the audit log says of files that were sent or renamed over SFTP. */
import { createHash } from 'node:crypto';
import type { AuditTrail } from '../audit/trail.ts';
import { readUser } from '../auth/read-user.ts';
import type { Result } from '../runtime/result.ts';
import { accountOfKey, parseDropKey } from '../sftp/paths.ts';
import type { Table } from '../table/table.ts';
import type { FileRenamed, FileSent, JobReference } from './messages.ts';
import { keyOfDrop, type Ignored } from './start-dropped.ts';

/** What telling of a file needs: the audit log, and the users, because an event names a user by the user name alone. */
export interface AuditDropDeps {
  readonly audit: Pick<AuditTrail, 'add'>;
  readonly credentials: Pick<Table, 'get'>;
}

/**
 * Puts a file into the audit log of the account in whose folder the file lies, as of the time that its event tells. The entry
 * has the job that the file started, or the word for why it started none; never the name of the file, which may be personal
 * data. An event that comes again adds nothing: the first entry stays. Throws when the entry cannot be stored.
 */
export const auditDrop = async (
  { audit, credentials }: AuditDropDeps,
  event: FileSent | FileRenamed,
  started: Result<JobReference, Ignored>,
): Promise<void> => {
  const { detail } = event;
  const key = keyOfDrop(event);
  const account = accountOfKey(key);
  // Sessions cannot leave the folder of their account.
  if (account === undefined) return;
  const user = detail.username === undefined ? undefined : await readUser(credentials, detail.username);
  const file = parseDropKey(key);
  await audit.add(account, {
    time: Date.parse(detail['end-timestamp']),
    action: 'file-path' in detail ? 'sftp.upload' : 'sftp.rename',
    outcome: started.ok ? 'accepted' : started.error,
    request_id: idOf(event),
    property: file?.property,
    user: user?.account === account ? user.id : undefined,
    source: detail['client-ip'],
    ids: {
      ...(file && { import_id: file.import }),
      ...(started.ok && { job_id: started.value.job }),
    },
  });
};

/** Tells one deed from another: the same for an event that comes again, another one for the same file sent again. */
const idOf = ({ detail }: FileSent | FileRenamed): string => {
  const paths =
    'file-path' in detail
      ? [detail['file-path'], detail.etag]
      : [detail['original-file-path'], detail['renamed-file-path']];
  const facts = [detail['session-id'] ?? '', detail['end-timestamp'], ...paths];
  return createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 32);
};
