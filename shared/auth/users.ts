/** Users: creates API users and lists the users of an account. */
import * as v from 'valibot';
import type { Role } from '../http/permissions.ts';
import { err, ok } from '../runtime/result.ts';
import { allItems } from '../table/all-items.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import type { Table } from '../table/table.ts';
import { findAccount, insertNew, unknownAccount, type AccountDeps, type Outcome } from './accounts.ts';
import {
  accountUserItem,
  grantVersion,
  userFrom,
  userHash,
  type StoredUser,
  type User,
} from './credential-items.ts';
import { hashPassword, type ScryptCost } from './passwords.ts';

/** The input of a new API user. */
export interface NewUser {
  readonly account: number;
  readonly username: string;
  readonly password: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly role: Role;
  /** Cost of the password's hash. The default is the cost of every user in production. */
  readonly cost?: ScryptCost;
}

/**
 * Creates an API user and returns its id. User names are unique in the service, whatever the case of their
 * letters. Like a property, a user is listed before it is created.
 */
export const createUser = async (
  { credentials, kdf, ids }: AccountDeps,
  { account, username, password, email, first_name, last_name, role, cost }: NewUser,
): Promise<Outcome<number>> => {
  if (!(await findAccount(credentials, account))) return err(unknownAccount);
  const id = await credentials.increment(credentialKeys.counter('user'), 1);
  const set: StoredUser = {
    version: grantVersion,
    id,
    account,
    username,
    email,
    first_name,
    last_name,
    epoch: ids.nonce(),
    password: await hashPassword(kdf, password, cost),
    disabled: false,
    ssh_keys: [],
    role,
  };
  await insertNew(credentials, credentialKeys.accountUser(account, id), { username });
  const outcome = await credentials.write({
    kind: 'insert',
    key: credentialKeys.user(userHash(username)),
    set,
  });
  if (outcome === 'refused')
    return err({ code: 'username_taken', message: 'This user name is taken; choose another.' });
  return ok(id);
};

/** The users of an account in order of creation. */
export const usersOf = async (credentials: Table, account: number): Promise<readonly User[]> => {
  const { pk } = credentialKeys.account(account);
  const items = await allItems(credentials, pk, { prefix: credentialKeys.accountUsers });
  const listed = items.map((item) => v.parse(accountUserItem, item).username);
  const stored = await credentials.getMany(listed.map((username) => credentialKeys.user(userHash(username))));
  return items.flatMap((item, index) => {
    const user = stored[index] && userFrom(stored[index]);
    const same = user && credentialKeys.accountUser(account, user.id).sk === item.sk;
    return same ? [user] : [];
  });
};
