/** SFTP audit: writes entries about files over SFTP into the audit log, for `startImport`. */
import type { AuditTrail } from '../../audit/audit-trail.ts';
import { readUser } from '../../auth/change-user.ts';
import type { ListedObject } from '../../runtime/ports.ts';
import type { Result } from '../../runtime/result.ts';
import { accountOfKey, keyOfPath, parseDropKey } from '../../sftp/paths.ts';
import type { Table } from '../../table/table.ts';
import type { JobReference } from '../items/job-messages.ts';
import {
  type FileAccessed,
  type FileRenamed,
  type FileUploaded,
  objectKeyOf,
  type IgnoreReason,
} from './file-events.ts';
import { sha256 } from '../../runtime/hash.ts';

export interface AuditDropDeps {
  readonly audit: Pick<AuditTrail, 'add'>;
  /** For the ids of users: an event only has the user name. */
  readonly credentials: Pick<Table, 'get'>;
}

/**
 * Adds an entry about an uploaded or renamed file to the audit log of the account that owns the folder, with the time
 * of the event. The entry has the job that the file started, or the reason why it started none. It never has the file
 * name, which may be personal data. A repeated event adds nothing. Throws when the entry cannot be stored.
 */
export const auditDrop = async (
  deps: AuditDropDeps,
  event: FileUploaded | FileRenamed,
  started: Result<JobReference, IgnoreReason>,
): Promise<void> => {
  const { detail } = event;
  const isSent = 'file-path' in detail;
  return add(deps, objectKeyOf(event), await actorOf(deps, detail), {
    time: Date.parse(detail['end-timestamp']),
    action: isSent ? 'sftp.upload' : 'sftp.rename',
    outcome: started.ok ? 'accepted' : started.error,
    job: started.ok ? started.value.job : undefined,
    identity: [
      detail['end-timestamp'],
      ...(isSent
        ? [detail['file-path'], detail.etag ?? '']
        : [detail['original-file-path'], detail['renamed-file-path']]),
    ],
  });
};

/** Adds an entry about a file that the reconciliation found, whose sender is unknown. */
export const auditFound = (
  deps: Pick<AuditDropDeps, 'audit'>,
  { key, etag, modified }: ListedObject,
  job: number,
): Promise<void> =>
  add(
    deps,
    key,
    {},
    { time: modified, action: 'sftp.found', outcome: 'accepted', job, identity: [key, etag] },
  );

/** Adds an entry about a file that was read, deleted or partly uploaded to the audit log, by the same rules. */
export const auditAccess = async (
  deps: AuditDropDeps,
  { time, detail, ...event }: FileAccessed,
): Promise<void> => {
  const { 'file-path': path, 'start-timestamp': start = '', 'end-timestamp': end = '' } = detail;
  const [action, outcome] = accesses[event['detail-type']];
  return add(deps, keyOfPath(path), await actorOf(deps, detail), {
    time: Date.parse(time),
    action,
    outcome,
    identity: [time, start, end, path],
  });
};

const accesses = {
  'SFTP Server File Upload Failed': ['sftp.upload', 'broken_off'],
  'SFTP Server File Download Completed': ['sftp.download', 'completed'],
  'SFTP Server File Download Failed': ['sftp.download', 'broken_off'],
  'SFTP Server File Delete Completed': ['sftp.delete', 'completed'],
} as const satisfies Record<FileAccessed['detail-type'], readonly [string, string]>;

interface SftpAction {
  readonly time: number;
  readonly action: string;
  readonly outcome: string;
  readonly job?: number | undefined;
  /** Identifies the action: a repeated event has the same parts, a repeated action has others. */
  readonly identity: readonly string[];
}

/** The user and session of an action; all empty for a file whose event was lost. */
interface SftpActor {
  readonly user?: { readonly account: number; readonly id: number } | undefined;
  readonly source?: string | undefined;
  readonly session?: string | undefined;
}

const actorOf = async (
  { credentials }: AuditDropDeps,
  { username, 'client-ip': source, 'session-id': session }: FileAccessed['detail'] | FileRenamed['detail'],
): Promise<SftpActor> => ({
  user: username === undefined ? undefined : await readUser(credentials, username),
  source,
  session,
});

const add = async (
  { audit }: Pick<AuditDropDeps, 'audit'>,
  key: string,
  { user, source, session = '' }: SftpActor,
  { job, identity, ...action }: SftpAction,
): Promise<void> => {
  const account = accountOfKey(key);
  // A session cannot leave the folder of its account, so such a key has no account.
  if (account === undefined) return;
  const file = parseDropKey(key);
  const text = [action.action, session, ...identity].join('\n');
  await audit.add(account, {
    ...action,
    request_id: sha256(text).slice(0, 32),
    property: file?.property,
    user: user?.account === account ? user.id : undefined,
    source,
    ids: { ...(file && { import_id: file.import }), ...(job !== undefined && { job_id: job }) },
  });
};
