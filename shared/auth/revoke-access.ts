import { err, ok } from '../runtime/result.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import type { Table } from '../table/table.ts';
import type { AccountDeps, CommandRefusal, Outcome } from './accounts.ts';
import { changeUser, findUser } from './change-user.ts';
import { userHash } from './credential-items.ts';
import { hashPassword } from './passwords.ts';
import { endAllTokens } from './tokens.ts';

export type RevokeDeps = Pick<AccountDeps, 'credentials' | 'ids' | 'kdf' | 'pause'>;

/**
 * Revokes every token of a user with one conditional write of the epoch that tokens carry. No token issued at
 * the same moment can slip through. Caches expire within 30 s.
 */
export const revokeAll = (
  deps: Pick<RevokeDeps, 'credentials' | 'ids' | 'pause'>,
  username: string,
): Promise<Outcome<void>> => changeUser(deps, username, () => ok({ epoch: deps.ids.nonce() }));

/** Sets another password and revokes the tokens that the old one obtained. */
export const changePassword = async (
  deps: RevokeDeps,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<Outcome<void>> => {
  const hash = await hashPassword(deps.kdf, password);
  return changeUser(deps, username, () => ok({ password: hash, epoch: deps.ids.nonce() }));
};

/** Disables a user: no new login, and the tokens stop working within 30 s. Idempotent. */
export const disableUser = (deps: RevokeDeps, username: string): Promise<Outcome<void>> =>
  changeUser(deps, username, () => ok({ disabled: true, epoch: deps.ids.nonce() }));

/** Lets a disabled user sign in again; the earlier tokens stay revoked. */
export const enableUser = (deps: RevokeDeps, username: string): Promise<Outcome<void>> =>
  changeUser(deps, username, () => ok({ disabled: false }));

/**
 * Deletes a user. The user item goes first, so that a crash leaves only tokens that open nothing and a list
 * entry that lists skip.
 */
export const deleteUser = async (credentials: Table, username: string): Promise<Outcome<number>> => {
  const found = await findUser(credentials, username);
  if (!found.ok) return found;
  const { id, account, w } = found.value;
  const key = credentialKeys.user(userHash(username));
  if ((await credentials.write({ kind: 'delete', key, expect: { w } })) === 'refused') return err(changing);
  await endAllTokens(credentials, username);
  await credentials.write({ kind: 'delete', key: credentialKeys.accountUser(account, id), expect: {} });
  return ok(id);
};

const changing: CommandRefusal = {
  code: 'conflict',
  message: 'Another call is changing this user; try again.',
};
