/** Account deletion: removes an account with its client id, users and tokens. */
import * as v from 'valibot';
import { err, ok } from '../runtime/result.ts';
import { allItems } from '../table/all-items.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import type { Table } from '../table/table.ts';
import {
  findAccount,
  confirmationRefusal,
  unknownAccount,
  type CommandRefusal,
  type Outcome,
} from '../auth/accounts.ts';
import { accountUserItem } from '../auth/credential-items.ts';
import { sha256 } from '../runtime/hash.ts';
import { listedPropertyItem } from '../properties/items.ts';
import { findUser } from '../auth/change-user.ts';
import { deleteUser } from '../auth/revoke-access.ts';
import { endAllTokens } from '../auth/tokens.ts';

/**
 * Deletes an account with its client id, its users and their tokens. Refuses an unknown account and an account with
 * properties; a property counts until its deletion has ended. Refuses a `confirm` that is not the number or the name of
 * the account. The account item goes last, so that an interrupted call can be repeated.
 */
export const deleteAccount = async (
  credentials: Table,
  { account: id, confirm }: { readonly account: number; readonly confirm: string },
): Promise<Outcome<void>> => {
  const found = await findAccount(credentials, id);
  if (!found) return err(unknownAccount);
  const { name, client_id } = found.account;
  const refused = confirmationRefusal(confirm, { kind: 'account', id, name });
  if (refused) return err(refused);
  const key = credentialKeys.account(id);
  const { pk } = key;
  const listed = await allItems(credentials, pk, { prefix: credentialKeys.accountProperties });
  const ids = listed.map((item) => v.parse(listedPropertyItem, item).property);
  const properties = await credentials.getMany(ids.map((property) => credentialKeys.property(property)));
  if (properties.some((property) => property !== undefined)) return err(hasProperties);
  // A property whose creation was interrupted exists only in the list.
  for (const { sk } of listed) await credentials.write({ kind: 'delete', key: { pk, sk }, expect: {} });
  if (!(await deleteUsers(credentials, id))) return err(changing);
  if (client_id !== undefined)
    await credentials.write({ kind: 'delete', key: credentialKeys.client(sha256(client_id)), expect: {} });
  const outcome = await credentials.write({ kind: 'delete', key, expect: { w: found.w } });
  return outcome === 'refused' ? err(changing) : ok(undefined);
};

/** Deletes the users in the list of an account; `false` when another writer changes one of them meanwhile. */
const deleteUsers = async (credentials: Table, account: number): Promise<boolean> => {
  const { pk } = credentialKeys.account(account);
  const items = await allItems(credentials, pk, { prefix: credentialKeys.accountUsers });
  for (const item of items) {
    const { username } = v.parse(accountUserItem, item);
    const user = await findUser(credentials, username);
    // An interrupted deletion may leave tokens of a user. The name may belong to a user of another account by
    // now.
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
  message: 'Another call is changing this account; try again.',
};
