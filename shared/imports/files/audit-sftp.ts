/** What the audit log says of what is done to files over SFTP. */
import { createHash } from 'node:crypto';
import type { AuditTrail } from '../../audit/audit-trail.ts';
import { readUser } from '../../auth/read-user.ts';
import type { Result } from '../../runtime/result.ts';
import { accountOfKey, keyOfPath, parseDropKey } from '../../sftp/paths.ts';
import type { Table } from '../../table/table.ts';
import type { JobReference } from '../model/job-messages.ts';
import type { FileAccessed } from './file-events.ts';
import type { FileRenamed } from './file-events.ts';
import type { FileUploaded } from './file-events.ts';
import { objectKeyOf, type IgnoreReason } from './accepted-file.ts';

/** What telling of a file needs: the audit log, and the users, because an event names a user by the user name alone. */
export interface AuditDropDeps {
  readonly audit: Pick<AuditTrail, 'add'>;
  readonly credentials: Pick<Table, 'get'>;
}

/**
 * Puts a file that was sent or renamed into the audit log of the account in whose folder the file lies, as of the time that its
 * event tells. The entry has the job that the file started, or the word for why it started none; never the name of the file,
 * which may be personal data. An event that comes again adds nothing: the first entry stays. Throws when the entry cannot be
 * stored.
 */
export const auditDrop = (
  deps: AuditDropDeps,
  event: FileUploaded | FileRenamed,
  started: Result<JobReference, IgnoreReason>,
): Promise<void> => {
  const { detail } = event;
  const isSent = 'file-path' in detail;
  return add(deps, objectKeyOf(event), detail, {
    time: Date.parse(detail['end-timestamp']),
    action: isSent ? 'sftp.upload' : 'sftp.rename',
    outcome: started.ok ? 'accepted' : started.error,
    job: started.ok ? started.value.job : undefined,
    cause: [
      detail['end-timestamp'],
      ...(isSent
        ? [detail['file-path'], detail.etag]
        : [detail['original-file-path'], detail['renamed-file-path']]),
    ],
  });
};

/** Puts a file that was read or removed into the audit log, by the same rules. */
export const auditAccess = (deps: AuditDropDeps, { time, detail, ...event }: FileAccessed): Promise<void> => {
  const { 'file-path': path, 'start-timestamp': start = '', 'end-timestamp': end = '' } = detail;
  const [action, outcome] = touches[event['detail-type']];
  return add(deps, keyOfPath(path), detail, {
    time: Date.parse(time),
    action,
    outcome,
    cause: [time, start, end, path],
  });
};

const touches = {
  'SFTP Server File Download Completed': ['sftp.download', 'completed'],
  'SFTP Server File Download Failed': ['sftp.download', 'broken_off'],
  'SFTP Server File Delete Completed': ['sftp.delete', 'completed'],
} as const satisfies Record<FileAccessed['detail-type'], readonly [string, string]>;

interface SftpAction {
  readonly time: number;
  readonly action: string;
  readonly outcome: string;
  readonly job?: number | undefined;
  /** What tells one deed from another: the same when an event comes again, different when the same is done again. */
  readonly cause: readonly string[];
}

const add = async (
  { audit, credentials }: AuditDropDeps,
  key: string,
  {
    username,
    'client-ip': source,
    'session-id': session = '',
  }: FileAccessed['detail'] | FileRenamed['detail'],
  { job, cause, ...told }: SftpAction,
): Promise<void> => {
  const account = accountOfKey(key);
  // Sessions cannot leave the folder of their account.
  if (account === undefined) return;
  const user = username === undefined ? undefined : await readUser(credentials, username);
  const file = parseDropKey(key);
  const deed = [told.action, session, ...cause].join('\n');
  await audit.add(account, {
    ...told,
    request_id: createHash('sha256').update(deed).digest('hex').slice(0, 32),
    property: file?.property,
    user: user?.account === account ? user.id : undefined,
    source,
    ids: { ...(file && { import_id: file.import }), ...(job !== undefined && { job_id: job }) },
  });
};
