import { NOBODY, type AuditTrail } from '../audit/audit-trail.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { User } from './credential-items.ts';
import { networkOf } from './login-failures.ts';

/** The outcome of a login. */
export interface LoginOutcome {
  readonly way: 'sign-in' | 'sftp.login';
  /** The user with the given name and account, whether or not the password was right. */
  readonly user: User | undefined;
  readonly sourceIp: string;
  readonly requestId: string;
  readonly outcome: 'admitted' | 'keys_asked' | 'refused' | 'invalid_grant' | 'slow_down';
  /** Mark of the new token. */
  readonly token?: string;
}

const codes = {
  admitted: 'login.admitted',
  keys_asked: 'login.keys_asked',
  refused: 'login.refused',
  invalid_grant: 'login.refused',
  slow_down: 'login.refused',
} as const;

/**
 * Records a login in the log, by network, and in the audit log of the user's account, by address. A login under
 * an unknown name belongs to no account, so only the log has it. It still costs a write, so that the response
 * time does not reveal which names exist.
 */
export const recordLogin = async (
  { log, audit, clock }: { readonly log: Log; readonly audit: AuditTrail; readonly clock: Clock },
  { way, user, sourceIp, requestId, outcome, token }: LoginOutcome,
): Promise<void> => {
  const facts = { outcome, request_id: requestId, user: user?.id, token };
  const code = codes[outcome];
  const source = networkOf(sourceIp);
  log(code, { ...facts, source, action: way, ...(user && { account: user.account }) });
  const entry = { ...facts, time: clock(), action: way, ...(user && { source: sourceIp }) };
  await audit.tryAdd(user?.account ?? NOBODY, entry);
};
