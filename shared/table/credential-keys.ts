/**
 * Every key of the table of credentials, which holds identities and permissions. Only the functions that sign people
 * in and those of the operator may write it, so no function that works on data can create a token. User text enters a key
 * only as a hash.
 *
 * | item               | pk           | sk             |
 * |--------------------|--------------|----------------|
 * | account            | ACCOUNT#a    | ACCOUNT        |
 * | account's property | ACCOUNT#a    | PROPERTY#p     |
 * | account's user     | ACCOUNT#a    | USER#id        |
 * | property           | PROPERTY#p   | PROPERTY       |
 * | client id          | CLIENT#hash  | CLIENT         |
 * | user               | USER#hash    | USER           |
 * | user's token       | USER#hash#TOKENS | time#sha256 |
 * | token              | TOKEN#sha256 | TOKEN          |
 * | login failures     | LOGIN#hash   | LOGIN#window   |
 * | counter of ids     | COUNTERS     | name           |
 */
import { padded, type Key } from './keys.ts';

/** The counters of ids. After a restore an operator raises each of them. */
export const credentialCounters = ['account', 'property', 'user'] as const;

export const credentialKeys = {
  account: (account: number): Key => ({ pk: `ACCOUNT#${account}`, sk: 'ACCOUNT' }),
  accountProperty: (account: number, property: number): Key => ({
    pk: `ACCOUNT#${account}`,
    sk: `${credentialKeys.accountProperties}${padded(property, 10)}`,
  }),
  accountProperties: 'PROPERTY#',
  accountUser: (account: number, user: number): Key => ({
    pk: `ACCOUNT#${account}`,
    sk: `${credentialKeys.accountUsers}${padded(user, 10)}`,
  }),
  accountUsers: 'USER#',
  property: (property: number): Key => ({ pk: `PROPERTY#${property}`, sk: 'PROPERTY' }),
  client: (hash: string): Key => ({ pk: `CLIENT#${hash}`, sk: 'CLIENT' }),
  user: (hash: string): Key => ({ pk: `USER#${hash}`, sk: 'USER' }),
  userToken: (hash: string, created: number, sha256: string): Key => ({
    pk: credentialKeys.userTokens(hash),
    sk: `${padded(created, 13)}#${sha256}`,
  }),
  userTokens: (hash: string): string => `USER#${hash}#TOKENS`,
  token: (sha256: string): Key => ({ pk: `TOKEN#${sha256}`, sk: 'TOKEN' }),
  /** The windows of the years 1990 to 2160 have eight digits, so their keys sort by time. */
  loginFailures: (hash: string, window: number): Key => ({ pk: `LOGIN#${hash}`, sk: `LOGIN#${window}` }),
  counter: (name: (typeof credentialCounters)[number]): Key => ({ pk: 'COUNTERS', sk: name }),
};
