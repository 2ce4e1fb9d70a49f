/** Accounts: create accounts, find the owner of a property, and list the properties of an account. */
import * as v from 'valibot';
import type { Clock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Pause } from '../runtime/pause.ts';
import type { KeyService } from '../runtime/ports.ts';
import { allItems } from '../table/all-items.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import type { Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { accountItem, ownedPropertyItem, type Account } from './credential-items.ts';
import type { Kdf } from './passwords.ts';
import { propertyIdsOf } from '../properties/items.ts';
import type { Result } from '../runtime/result.ts';

export interface AccountDeps {
  /** The table of data. */
  readonly table: Table;
  /** The table of credentials. */
  readonly credentials: Table;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly kdf: Kdf;
  readonly keyService: KeyService;
  readonly pause: Pause;
}

/** The refusal of an operator command. */
export interface CommandRefusal {
  readonly code:
    | 'unknown_account'
    | 'unknown_user'
    | 'unknown_token'
    | 'unknown_key'
    | 'unknown_import'
    | 'unknown_property'
    | 'unknown_enricher'
    | 'refused_url'
    | 'refused_key'
    | 'client_exists'
    | 'unknown_client'
    | 'conflict'
    | 'username_taken'
    | 'invalid_catalogue'
    | 'load_under_way'
    | 'stale_load'
    | 'not_confirmed'
    | 'has_properties'
    | 'unknown_queue'
    | 'no_way_back'
    | 'full';
  readonly message: string;
}

/** What a command tells the operator. */
export type Facts = Readonly<Record<string, unknown>>;

/** The outcome of an operator command. */
export type Outcome<T = Facts> = Result<T, CommandRefusal>;

/** Creates an account and returns its id. */
export const createAccount = async ({ credentials, clock }: AccountDeps, name: string): Promise<number> => {
  const id = await credentials.increment(credentialKeys.counter('account'), 1);
  await insertNew(credentials, credentialKeys.account(id), { id, name, created: clock() });
  return id;
};

/** An account with its write nonce; `undefined` when there is none. */
export const findAccount = async (
  credentials: Pick<Table, 'get'>,
  id: number,
): Promise<{ account: Account; w: string } | undefined> => {
  const stored = await credentials.get(credentialKeys.account(id));
  return stored && { account: v.parse(accountItem, stored), w: stored.w };
};

/** The account of a property; `undefined` when the property does not exist or is being deleted. */
export const ownerOf = async (
  credentials: Pick<Table, 'get'>,
  property: number,
): Promise<number | undefined> => {
  return (await findProperty(credentials, property))?.account;
};

/** A property with its owner and its name; `undefined` when it does not exist or is being deleted. */
export const findProperty = async (credentials: Pick<Table, 'get'>, property: number) => {
  const stored = await credentials.get(credentialKeys.property(property));
  const owned = stored && v.parse(ownedPropertyItem, stored);
  return owned?.deletion ? undefined : owned;
};

/** The name of the account of a property; `undefined` when the property does not exist or is being deleted. */
export const accountNameOf = async (
  credentials: Pick<Table, 'get'>,
  property: number,
): Promise<string | undefined> => {
  const account = await ownerOf(credentials, property);
  return account === undefined ? undefined : (await findAccount(credentials, account))?.account.name;
};

/** A property as its account knows it. */
export interface OwnedProperty {
  readonly id: number;
  readonly name: string;
}

/** The properties of an account in order of creation, without properties whose deletion has begun. */
export const listProperties = async (
  credentials: Table,
  account: number,
): Promise<readonly OwnedProperty[]> => propertiesAmong(credentials, await propertyIds(credentials, account));

/** The ids of the properties of an account in order of creation, also of those whose deletion has begun. */
export const propertyIds = async (credentials: Table, account: number): Promise<readonly number[]> => {
  const prefix = credentialKeys.accountProperties;
  return propertyIdsOf(await allItems(credentials, credentialKeys.account(account).pk, { prefix }));
};

/** The properties with these ids, without properties whose deletion has begun. */
export const propertiesAmong = async (
  credentials: Pick<Table, 'getMany'>,
  ids: readonly number[],
): Promise<readonly OwnedProperty[]> => {
  const stored = await credentials.getMany(ids.map((id) => credentialKeys.property(id)));
  return ids.flatMap((id, index) => {
    const item = stored[index];
    const owned = item && v.parse(ownedPropertyItem, item);
    return owned && !owned.deletion ? [{ id, name: owned.name }] : [];
  });
};

/** Inserts an item under a fresh id, which cannot be taken. */
export const insertNew = async (table: Table, key: Key, set: Parameters<Table['put']>[1]): Promise<void> => {
  if ((await table.write({ kind: 'insert', key, set })) === 'refused')
    throw new Error('accounts: a fresh id was taken');
};

export const unknownAccount: CommandRefusal = {
  code: 'unknown_account',
  message: 'There is no such account.',
};
export const unknownProperty: CommandRefusal = {
  code: 'unknown_property',
  message: 'There is no such property.',
};

/** The refusal of a deletion whose `confirm` is neither the number nor the name of its subject; otherwise undefined. */
export const confirmationRefusal = (
  confirm: string,
  { kind, id, name }: { readonly kind: 'account' | 'property'; readonly id: number; readonly name: string },
): CommandRefusal | undefined =>
  confirm === String(id) || confirm === name
    ? undefined
    : {
        code: 'not_confirmed',
        message: `Nothing was deleted: --confirm must be the number or the name of this ${kind}.`,
      };
