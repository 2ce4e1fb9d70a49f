import type { Pause } from '../runtime/pause.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { manyRounds, nextRound } from '../runtime/retry.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import type { Attributes, Table } from '../table/table.ts';
import type { CommandRefusal } from './accounts.ts';
import { userHash, type User } from './credential-items.ts';
import { readUser } from './read-user.ts';

export interface ChangeUserDeps {
  readonly credentials: Pick<Table, 'get' | 'write'>;
  readonly pause: Pause;
}

/** A user by name. */
export const findUser = async (
  credentials: Pick<Table, 'get'>,
  username: string,
): Promise<Result<User & { readonly w: string }, CommandRefusal>> => {
  const user = await readUser(credentials, username);
  return user ? ok(user) : err({ code: 'unknown_user', message: 'There is no such user.' });
};

/**
 * Changes a user under optimistic locking. `change` derives the new attributes from the current user and runs
 * again when another writer came between. Passes on a refusal of `change`.
 */
export const changeUser = async (
  { credentials, pause }: ChangeUserDeps,
  username: string,
  change: (user: User) => Result<Attributes, CommandRefusal>,
): Promise<Result<void, CommandRefusal>> => {
  for (let round = 0; ; round += 1) {
    await nextRound(pause, round, manyRounds, 'users: a user');
    const found = await findUser(credentials, username);
    if (!found.ok) return found;
    const set = change(found.value);
    if (!set.ok) return set;
    const key = credentialKeys.user(userHash(username));
    const expect = { w: found.value.w };
    if ((await credentials.write({ kind: 'update', key, set: set.value, expect })) === 'applied')
      return ok(undefined);
  }
};
