import { NOBODY, type AuditTrail } from '../audit/audit-trail.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { User } from './credential-items.ts';
import { networkOf } from './login-failures.ts';

/** How a login ended. */
export interface LoginOutcome {
  readonly way: 'sign-in' | 'sftp.login';
  /** The user whose name and account were given, whether or not the rest was right. */
  readonly user: User | undefined;
  readonly sourceIp: string;
  readonly requestId: string;
  readonly outcome: 'admitted' | 'refused' | 'invalid_grant' | 'slow_down';
  /** Mark of the token that was made. */
  readonly token?: string;
}

/**
 * Tells of a login: in the log by network, and in the audit log of the user's account by address. Logins under a name that is
 * nobody's belong to no account, so the log alone has them. They cost a write all the same, so that the time of an answer
 * does not tell which names are somebody's.
 */
export const recordLogin = async (
  { log, audit, clock }: { readonly log: Log; readonly audit: AuditTrail; readonly clock: Clock },
  { way, user, sourceIp, requestId, outcome, token }: LoginOutcome,
): Promise<void> => {
  const facts = { outcome, request_id: requestId, user: user?.id, token };
  const code = outcome === 'admitted' ? 'login.admitted' : 'login.refused';
  const source = networkOf(sourceIp);
  log(code, { ...facts, source, action: way, ...(user && { account: user.account }) });
  const entry = { ...facts, time: clock(), action: way, ...(user && { source: sourceIp }) };
  await audit.tryAdd(user?.account ?? NOBODY, entry);
};
