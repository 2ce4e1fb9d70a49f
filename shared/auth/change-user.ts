/** Change user: finds and changes a user by name. */
import type { Pause } from '../runtime/pause.ts';
import { err, ok } from '../runtime/result.ts';
import { changeItem } from '../table/change-item.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import type { Attributes, Table } from '../table/table.ts';
import type { CommandRefusal, Outcome } from './accounts.ts';
import { userFrom, userHash, type User } from './credential-items.ts';

/** A user by name, with its write nonce; `undefined` when there is none. */
export const readUser = async (
  credentials: Pick<Table, 'get'>,
  username: string,
): Promise<(User & { readonly w: string }) | undefined> => {
  const stored = await credentials.get(credentialKeys.user(userHash(username)));
  return stored && { ...userFrom(stored), w: stored.w };
};

export interface ChangeUserDeps {
  readonly credentials: Pick<Table, 'get' | 'write'>;
  readonly pause: Pause;
}

/** A user by name. */
export const findUser = async (
  credentials: Pick<Table, 'get'>,
  username: string,
): Promise<Outcome<User & { readonly w: string }>> => {
  const user = await readUser(credentials, username);
  return user ? ok(user) : err(unknownUser);
};

/**
 * Changes a user under optimistic locking. `change` derives the new attributes from the current user and runs again
 * after every write of another writer. Passes on a refusal of `change`.
 */
export const changeUser = (
  { credentials, pause }: ChangeUserDeps,
  username: string,
  change: (user: User) => Outcome<Attributes>,
): Promise<Outcome<void>> => {
  const key = credentialKeys.user(userHash(username));
  return changeItem<Outcome<void>>({ table: credentials, pause }, { key, what: 'users: a user' }, (item) => {
    if (!item) return { result: err(unknownUser) };
    const set = change(userFrom(item));
    return set.ok ? { result: ok(undefined), set: set.value } : { result: set };
  });
};

const unknownUser: CommandRefusal = { code: 'unknown_user', message: 'There is no such user.' };
