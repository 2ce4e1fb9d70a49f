/** Token commands: list and revoke access tokens for operators. */
import { isoTime } from '../runtime/clock.ts';
import { err, ok } from '../runtime/result.ts';
import {
  findAccount,
  unknownAccount,
  type AccountDeps,
  type CommandRefusal,
  type Facts,
  type Outcome,
} from '../auth/accounts.ts';
import { findUser } from '../auth/change-user.ts';
import { type User, userFrom } from '../auth/credential-items.ts';
import { sha256 } from '../runtime/hash.ts';
import { revokeAll } from '../auth/revoke-access.ts';
import { endToken, goodTokens, type HashedToken } from '../auth/tokens.ts';
import { usersOf } from '../auth/users.ts';
import { allPermissions, withinRole, type Permission } from '../http/permissions.ts';
import { credentialKeys } from '../table/credential-keys.ts';

/** A user, or all users of an account. */
interface Owner {
  readonly username?: string | undefined;
  readonly account?: number | undefined;
}

/**
 * The valid tokens of a user or an account, with what the role of the user lets them do now. The id of a token is its
 * SHA-256, never the token itself.
 */
export const listTokens = async (deps: AccountDeps, owner: Owner): Promise<Outcome> => {
  const users = await ownersOf(deps, owner);
  if (!users.ok) return users;
  const tokens: Facts[] = [];
  for (const user of users.value) {
    const good = await goodTokens(deps.credentials, user, deps.clock());
    tokens.push(...good.map((token) => shownToken(user, token)));
  }
  return ok({ tokens });
};

const shownToken = (
  { username, role }: User,
  { hash, name, permissions, properties, created, expires }: HashedToken,
): Facts => ({
  id: hash,
  username,
  name,
  created: isoTime(created),
  expires: isoTime(expires),
  properties: properties?.join(' ') ?? 'all',
  may: wordsOf(withinRole(permissions, role)),
});

/** Permissions in a column. */
const wordsOf = (permissions: readonly Permission[]): string => {
  if (permissions.length === allPermissions.length) return 'everything';
  return permissions.length === 0 ? 'nothing' : permissions.join(' ');
};

/**
 * Revokes one token, given itself or by its id, or all tokens of a user or an account. They stop working within
 * 30 s; users may sign in again.
 */
export const revokeTokens = async (
  deps: AccountDeps,
  { token, id, ...owner }: Owner & { readonly token?: string | undefined; readonly id?: string | undefined },
): Promise<Outcome> => {
  const hash = id ?? (token === undefined ? undefined : sha256(token));
  if (hash !== undefined) {
    const ended = await endToken(deps.credentials, hash);
    if (!ended) return err(unknownToken);
    const user = await deps.credentials.get(credentialKeys.user(ended.user));
    const username = user && userFrom(user).username;
    return ok({ token: 'revoked', account: ended.account, ...(username !== undefined && { username }) });
  }
  const users = await ownersOf(deps, owner);
  if (!users.ok) return users;
  for (const { username } of users.value) {
    const revoked = await revokeAll(deps, username);
    // A user who was deleted meanwhile has no tokens left.
    if (!revoked.ok && revoked.error.code !== 'unknown_user') return revoked;
  }
  return ok({ tokens: 'revoked', users: users.value.length });
};

const ownersOf = async (
  { credentials }: AccountDeps,
  { username, account }: Owner,
): Promise<Outcome<readonly User[]>> => {
  if (username !== undefined) {
    const user = await findUser(credentials, username);
    return user.ok ? ok([user.value]) : user;
  }
  const known = account !== undefined && (await findAccount(credentials, account));
  return known ? ok(await usersOf(credentials, known.account.id)) : err(unknownAccount);
};

const unknownToken: CommandRefusal = { code: 'unknown_token', message: 'There is no such token.' };
