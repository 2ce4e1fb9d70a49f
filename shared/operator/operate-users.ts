/** User commands: create users, set passwords and show accounts for operators. */
import { err, ok } from '../runtime/result.ts';
import {
  findAccount,
  listProperties,
  unknownAccount,
  type AccountDeps,
  type Facts,
  type Outcome,
} from '../auth/accounts.ts';
import { changeUser, type ChangeUserDeps } from '../auth/change-user.ts';
import { grantVersion } from '../auth/credential-items.ts';
import type { Role } from '../http/permissions.ts';
import { createUser, usersOf, type NewUser } from '../auth/users.ts';

/** A user whom an operator makes. The default of the role is `owner`, as users of release 0.2.0 are. */
type AskedUser = Omit<NewUser, 'password' | 'role'> & {
  readonly password?: string | undefined;
  readonly role?: Role | undefined;
};

/** Creates a user. Without a password it generates one, and shows it only in this answer. */
export const makeUser = async (deps: AccountDeps, user: AskedUser): Promise<Outcome> => {
  const { password, shown } = passwordOf(deps, user.password);
  const { username, role = 'owner' } = user;
  const made = await createUser(deps, { ...user, role, password });
  return made.ok ? ok({ user: made.value, username, role, ...shown }) : made;
};

/**
 * Gives a user another role. Tokens that may do more than the role lose that within 30 s. A token never gains: what it was
 * given when it was made stays the most that it may do.
 */
export const setRole = async (
  deps: ChangeUserDeps,
  { username, role }: { readonly username: string; readonly role: Role },
): Promise<Outcome> => {
  const changed = await changeUser(deps, username, () => ok({ version: grantVersion, role }));
  return changed.ok ? ok({ username, role }) : changed;
};

/** The given password, or a generated one of 128 random bits to be shown. */
export const passwordOf = (
  { ids }: Pick<AccountDeps, 'ids'>,
  given: string | undefined,
): { readonly password: string; readonly shown: Facts } => {
  const password = given ?? ids.nonce() + ids.nonce();
  return { password, shown: given === undefined ? { password } : {} };
};

/** An account with its client id, its properties and its users. */
export const showAccount = async ({ credentials }: AccountDeps, id: number): Promise<Outcome> => {
  const found = await findAccount(credentials, id);
  if (!found) return err(unknownAccount);
  const users = await usersOf(credentials, id);
  return ok({
    account: id,
    name: found.account.name,
    client_id: found.account.client_id ?? null,
    requests_per_second: found.account.requests_per_second ?? null,
    properties: await listProperties(credentials, id),
    users: users.map(({ id: user, username, email, role, disabled }) => ({
      id: user,
      username,
      email,
      role,
      status: disabled ? 'disabled' : 'enabled',
    })),
  });
};
