import { NOBODY, type AuditedIds, type AuditEntry, type AuditTrail } from '../audit/audit-trail.ts';
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
  readonly outcome: keyof typeof codes;
  /** Mark of the new token. */
  readonly token?: string;
  readonly ids?: AuditedIds;
}

/** A login that another service decided, and of which it tells later. */
interface ToldLogin extends LoginOutcome {
  /** The time of the login (epoch milliseconds). */
  readonly time: number;
}

const codes = {
  admitted: 'login.admitted',
  keys_asked: 'login.keys_asked',
  refused: 'login.refused',
  not_permitted: 'login.refused',
  invalid_grant: 'login.refused',
  slow_down: 'login.refused',
  invalid_scope: 'login.refused',
  invalid_request: 'login.refused',
} as const;

/**
 * Records a login in the log, by network, and in the audit log of the user's account, by address. A login under
 * an unknown name belongs to no account, so only the log has it. It still costs a write, so that the response
 * time does not reveal which names exist.
 */
export const recordLogin = async (
  { log, audit, clock }: { readonly log: Log; readonly audit: AuditTrail; readonly clock: Clock },
  login: LoginOutcome,
): Promise<void> => {
  const entry = logged(log, { ...login, time: clock() });
  await audit.tryAdd(login.user?.account ?? NOBODY, entry);
};

/**
 * Records a login of which another service tells, in the same logs. Nobody waits for the answer, so a login under an
 * unknown name costs no write. Throws when the entry cannot be stored, so that the service tells of it again.
 */
export const recordToldLogin = async (
  { log, audit }: { readonly log: Log; readonly audit: Pick<AuditTrail, 'add'> },
  login: ToldLogin,
): Promise<void> => {
  const entry = logged(log, login);
  if (login.user) await audit.add(login.user.account, entry);
};

/** Writes a login to the log. Returns its entry for the audit log. */
const logged = (
  log: Log,
  { way, user, sourceIp, requestId, outcome, token, ids, time }: ToldLogin,
): AuditEntry => {
  const facts = { outcome, request_id: requestId, user: user?.id, token };
  const source = networkOf(sourceIp);
  log(codes[outcome], { ...facts, source, action: way, ...(user && { account: user.account }) });
  return { ...facts, time, action: way, ids, ...(user && { source: sourceIp }) };
};
