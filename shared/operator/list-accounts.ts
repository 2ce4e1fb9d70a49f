/** Lists for operators: the accounts, properties and users of the service, or of one account, in pages. */
import * as v from 'valibot';
import { findAccount, unknownAccount, type AccountDeps, type Facts, type Outcome } from '../auth/accounts.ts';
import { accountItem, ownedPropertyItem, type User } from '../auth/credential-items.ts';
import { usersOf } from '../auth/users.ts';
import { limits } from '../config/limits.ts';
import { propertyIdsOf, propertyItem } from '../properties/items.ts';
import { isoTime } from '../runtime/clock.ts';
import { mapLimited } from '../runtime/pool.ts';
import { err, ok } from '../runtime/result.ts';
import { allItems } from '../table/all-items.ts';
import { keys } from '../table/keys.ts';
import { readCounter } from '../table/read-counter.ts';
import type { StoredItem } from '../table/table.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import { FIRST_PROPERTY } from './create-property.ts';

type ListDeps = Pick<AccountDeps, 'credentials'>;
type PropertyDeps = Pick<AccountDeps, 'credentials' | 'table'>;

/** A page of a list, of one account if it is given. `after` is the `next` of the page before. */
export interface ListPage {
  readonly account?: number | undefined;
  readonly after?: number | undefined;
}

/** Accounts whose users are read at a time. */
const PARALLEL = 10;

/** A page of all accounts. */
export const accountPage = async ({ credentials }: ListDeps, { after }: ListPage): Promise<Outcome> => {
  const { ids, next } = await idsAfter(credentials, 'account', after);
  const stored = await credentials.getMany(ids.map((id) => credentialKeys.account(id)));
  const accounts = stored.flatMap((item) => {
    if (item === undefined) return [];
    const { id, name, created, client_id } = v.parse(accountItem, item);
    return [{ id, name, created: isoTime(created), client_id: client_id ?? null }];
  });
  return ok({ accounts, next });
};

/**
 * A page of all properties, or of those of one account; also of those that are being deleted. A restore of the table of
 * data alone leaves properties without data, which were made since its time, and properties without an owner, which were
 * deleted since. Only the page of all properties has the latter.
 */
export const propertyPage = async (
  { credentials, table }: PropertyDeps,
  { account, after }: ListPage,
): Promise<Outcome> => {
  if (account !== undefined && !(await findAccount(credentials, account))) return err(unknownAccount);
  const { ids, next } =
    account === undefined
      ? await idsAfter(credentials, 'property', after)
      : { ids: await propertiesOf(credentials, account), next: null };
  const [owners, data] = await Promise.all([
    credentials.getMany(ids.map((id) => credentialKeys.property(id))),
    table.getMany(ids.map((id) => keys.property(id))),
  ]);
  const properties = ids.flatMap((id, index) => {
    const shown = shownProperty(owners[index], data[index]);
    return shown ? [{ id, ...shown }] : [];
  });
  return ok({ properties, next });
};

/** A property by its owner and its data; undefined with neither. */
const shownProperty = (owner: StoredItem | undefined, data: StoredItem | undefined): Facts | undefined => {
  if (owner !== undefined) {
    const { name, account, deletion } = v.parse(ownedPropertyItem, owner);
    const status = data === undefined ? 'without data' : 'active';
    return { name, account, status: deletion ? 'being deleted' : status };
  }
  if (data === undefined) return undefined;
  return { name: null, account: v.parse(propertyItem, data).account, status: 'without owner' };
};

/** A page of all users, or of those of one account. */
export const userPage = async ({ credentials }: ListDeps, { account, after }: ListPage): Promise<Outcome> => {
  if (account !== undefined && !(await findAccount(credentials, account))) return err(unknownAccount);
  const { ids, next } =
    account === undefined ? await idsAfter(credentials, 'account', after) : { ids: [account], next: null };
  const users = await mapLimited([...ids], PARALLEL, (id) => usersOf(credentials, id));
  return ok({ users: users.flat().map(shownUser), next });
};

const shownUser = ({ id, username, email, account, role, disabled }: User): Facts => ({
  id,
  username,
  email,
  account,
  role,
  status: disabled ? 'disabled' : 'enabled',
});

/** The ids of a counter after `after`, one page of them; `next` is null at the end. Things of some ids may be gone. */
const idsAfter = async (
  credentials: ListDeps['credentials'],
  counted: 'account' | 'property',
  after = 0,
): Promise<{ readonly ids: readonly number[]; readonly next: number | null }> => {
  const first = counted === 'property' ? FIRST_PROPERTY : 1;
  const last = first - 1 + (await readCounter(credentials, credentialKeys.counter(counted)));
  const from = Math.max(first, after + 1);
  const to = Math.min(last, from + limits.operator.listedIds - 1);
  const ids = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  return { ids, next: to < last ? to : null };
};

const propertiesOf = async (
  credentials: ListDeps['credentials'],
  account: number,
): Promise<readonly number[]> => {
  const { pk } = credentialKeys.account(account);
  return propertyIdsOf(await allItems(credentials, pk, { prefix: credentialKeys.accountProperties }));
};
