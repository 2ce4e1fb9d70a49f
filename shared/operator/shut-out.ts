/**
 * Shutting out: disables or deletes a user, or gives another password, and takes back what was given in the user's name. A
 * user is first kept from signing in, so that nothing new is given; then rights end, property by property; a deleted user
 * goes last, so that a command that died is repeated.
 */
import {
  findAccount,
  unknownAccount,
  type AccountDeps,
  type CommandRefusal,
  type Outcome,
} from '../auth/accounts.ts';
import { findUser } from '../auth/change-user.ts';
import { changePassword, deleteUser, disableUser } from '../auth/revoke-access.ts';
import { usersOf } from '../auth/users.ts';
import { err, ok } from '../runtime/result.ts';
import { endRights, type EndedRights, type EndedUser } from './end-rights.ts';
import { passwordOf } from './operate-users.ts';

/** A command that shuts a user out. With `after` it goes on behind a property, as the `next` of an answer demands. */
export interface ShutOutCommand {
  readonly username: string;
  readonly keep_links?: boolean | undefined;
  readonly after?: number | undefined;
}

/** Disables a user. */
export const shutOut = async (deps: AccountDeps, command: ShutOutCommand): Promise<Outcome> => {
  const disabled = await disableUser(deps, command.username);
  if (!disabled.ok) return disabled;
  const ended = await end(deps, command, false);
  return ended.ok ? ok({ user: 'disabled', ...ended.value }) : ended;
};

/** Sets another password, which revokes the tokens of the old one. Without a password it generates and shows one. */
export const setPassword = async (
  deps: AccountDeps,
  { password: given, ...command }: ShutOutCommand & { readonly password?: string | undefined },
): Promise<Outcome> => {
  const { username, after } = command;
  const { password, shown } = passwordOf(deps, given);
  // A call that goes on has set the password before.
  if (after === undefined) {
    const changed = await changePassword(deps, { username, password });
    if (!changed.ok) return changed;
  }
  const ended = await end(deps, command, false);
  return ended.ok ? ok({ username, ...(after === undefined && shown), ...ended.value }) : ended;
};

/** Deletes a user. The user stays, disabled, until everything is taken back. */
export const removeUser = async (deps: AccountDeps, command: ShutOutCommand): Promise<Outcome> => {
  const disabled = await disableUser(deps, command.username);
  if (!disabled.ok) return disabled;
  const ended = await end(deps, command, true);
  if (!ended.ok) return ended;
  if (ended.value.next !== null) return ok({ user: 'disabled', ...ended.value });
  const deleted = await deleteUser(deps.credentials, command.username);
  return deleted.ok ? ok({ user: 'deleted', ...ended.value }) : deleted;
};

/**
 * Takes back what a user who is gone has left: a user who was deleted before commands did that, or whose things a restore
 * of the data has brought back. Refuses a user who is there.
 */
export const eraseUser = async (
  deps: AccountDeps,
  {
    account,
    user: id,
    email,
    ...options
  }: Omit<EndedUser, 'id'> & { readonly user: number } & Omit<ShutOutCommand, 'username'>,
): Promise<Outcome> => {
  if (!(await findAccount(deps.credentials, account))) return err(unknownAccount);
  if ((await usersOf(deps.credentials, account)).some((user) => user.id === id)) return err(isThere);
  const ended = await endRights(deps, { id, account, email }, { ...options, forGood: true });
  return ok({ user: 'erased', ...ended });
};

const isThere: CommandRefusal = { code: 'conflict', message: 'There is such a user: use "user delete".' };

const end = async (
  deps: AccountDeps,
  { username, ...options }: ShutOutCommand,
  forGood: boolean,
): Promise<Outcome<EndedRights>> => {
  const user = await findUser(deps.credentials, username);
  return user.ok ? ok(await endRights(deps, user.value, { ...options, forGood })) : err(user.error);
};
