import { err, ok, type Result } from '../runtime/result.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Table } from '../table/table.ts';
import type { User } from './credential-items.ts';
import { loginFailures, type LoginSource } from './login-failures.ts';
import { verifyPassword, type Kdf } from './passwords.ts';

export interface PasswordDeps {
  readonly credentials: Table;
  readonly clock: Clock;
  readonly kdf: Kdf;
}

/**
 * A refused login: the password was wrong, the user is disabled, or the password was not checked because of too
 * many failures. In the last case `wait` is positive, in seconds.
 */
export interface LoginRefused {
  readonly wait: number;
}

/**
 * Checks the password of the user that `find` returns, and counts a failure. Unknown and disabled users cost
 * the same as wrong passwords. The failures are read again after the check, so that racing guesses gain
 * nothing, while racing correct logins all pass.
 */
export const passwordLogin = async (
  deps: PasswordDeps,
  source: LoginSource,
  password: string,
  find: () => Promise<User | undefined>,
): Promise<Result<User, LoginRefused>> => {
  const failures = loginFailures(deps);
  const wait = await failures.wait(source);
  if (wait > 0) return err({ wait });
  const user = await find();
  const matches = await verifyPassword(deps.kdf, password, user?.password);
  const right = matches && user?.disabled === false;
  const late = await failures.wait(source);
  if (!right) await failures.add(source);
  return late === 0 && user && right ? ok(user) : err({ wait: late });
};
