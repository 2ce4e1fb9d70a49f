import * as v from 'valibot';
import { err, ok, type Result } from '../runtime/result.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import type { Table } from '../table/table.ts';
import { findAccount, confirmationRefusal, unknownAccount, type CommandRefusal } from '../auth/accounts.ts';
import { accountUserItem, sha256 } from '../auth/credential-items.ts';
import { listedPropertyItem } from '../properties/items.ts';
import { findUser } from '../auth/change-user.ts';
import { deleteUser } from '../auth/revoke-access.ts';
import { endAllTokens } from '../auth/tokens.ts';

/**
 * Deletes an account with its client id, its users and their tokens. Refuses an unknown account, a `confirm` that is neither its
 * number nor its name, and an account that has properties, those included that are being deleted. The account goes last, so
 * that a call that died can be repeated.
 */
export const deleteAccount = async (
  credentials: Table,
  { account: id, confirm }: { readonly account: number; readonly confirm: string },
): Promise<Result<void, CommandRefusal>> => {
  const found = await findAccount(credentials, id);
  if (!found) return err(unknownAccount);
  const { name, client_id } = found.account;
  const refused = confirmationRefusal(confirm, { kind: 'account', id, name });
  if (refused) return err(refused);
  const key = credentialKeys.account(id);
  const { pk } = key;
  const { items: listed } = await credentials.query(pk, { prefix: credentialKeys.accountProperties });
  const ids = listed.map((item) => v.parse(listedPropertyItem, item).property);
  const properties = await credentials.getMany(ids.map((property) => credentialKeys.property(property)));
  if (properties.some((property) => property !== undefined)) return err(hasProperties);
  // A property whose making was cut off is in the list alone.
  for (const { sk } of listed) await credentials.write({ kind: 'delete', key: { pk, sk }, expect: {} });
  if (!(await deleteUsers(credentials, id))) return err(changing);
  if (client_id !== undefined)
    await credentials.write({ kind: 'delete', key: credentialKeys.client(sha256(client_id)), expect: {} });
  const outcome = await credentials.write({ kind: 'delete', key, expect: { w: found.w } });
  return outcome === 'applied' ? ok(undefined) : err(changing);
};

/** Deletes the users in the list of an account; `false` when somebody changes one of them meanwhile. */
const deleteUsers = async (credentials: Table, account: number): Promise<boolean> => {
  const { items } = await credentials.query(credentialKeys.account(account).pk, {
    prefix: credentialKeys.accountUsers,
  });
  for (const item of items) {
    const { username } = v.parse(accountUserItem, item);
    const user = await findUser(credentials, username);
    // Tokens are left of a user whose deletion was cut off. The name may be that of another account's user by now.
    if (!user.ok) await endAllTokens(credentials, username);
    else if (user.value.account === account && !(await deleteUser(credentials, username)).ok) return false;
    await credentials.write({ kind: 'delete', key: { pk: item.pk, sk: item.sk }, expect: {} });
  }
  return true;
};

const hasProperties: CommandRefusal = {
  code: 'has_properties',
  message: 'This account has properties; delete each with "property delete" first.',
};
const changing: CommandRefusal = {
  code: 'conflict',
  message: 'Somebody else changes this account; try again.',
};
