/** Access tokens: creates, lists and revokes the tokens of users. Only hashes are stored. */
import { limits } from '../config/limits.ts';
import { ttlAt, type Clock } from '../runtime/clock.ts';
import { sha256 } from '../runtime/hash.ts';
import type { Ids } from '../runtime/ids.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { allItems } from '../table/all-items.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import type { Table } from '../table/table.ts';
import { insertNew } from './accounts.ts';
import {
  epochOf,
  grantVersion,
  isInForce,
  tokenFrom,
  userFrom,
  userHash,
  userTokenFrom,
  type Grant,
  type StoredToken,
  type StoredUserToken,
  type Token,
  type User,
} from './credential-items.ts';

export interface TokenStore {
  readonly credentials: Table;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Creates a token of 256 random bits for a user, for some seconds, and returns it; only its SHA-256 is stored. The list
 * entry is written before the token, so no token is missing from the list. A user has at most
 * `limits.auth.tokensPerUser` tokens of sign-ins: the oldest are revoked. A key beyond `limits.auth.keysPerUser` is
 * refused. It is counted after it is stored, while nobody knows it: so calls at the same time see each other's keys.
 * Expired keys are deleted, so that a program that makes a key each hour has a short list.
 */
export const makeToken = async (
  { credentials, clock, ids }: TokenStore,
  user: User,
  grant: Grant,
  seconds: number,
): Promise<Result<string, 'too_many_keys'>> => {
  const token = ids.hex(32);
  const [hash, owner] = [sha256(token), userHash(user.username)];
  const created = clock();
  const expires = created + seconds * 1000;
  const ttl = ttlAt(expires);
  const isKey = grant.name !== null;
  const entry = credentialKeys.userToken(owner, created, hash);
  const listed: StoredUserToken = { version: grantVersion, token: hash, is_key: isKey };
  await insertNew(credentials, entry, { ...listed, ttl });
  const made = { version: grantVersion, user: owner, account: user.account, created, expires } as const;
  const stored: StoredToken = { ...made, epoch: epochOf(grant, user), ...grant };
  await insertNew(credentials, credentialKeys.token(hash), { ...stored, ttl });
  const others = (await listedTokens(credentials, owner)).filter(
    (one) => one.isKey === isKey && one.hash !== hash,
  );
  const { tokensPerUser, keysPerUser } = limits.auth;
  if (!isKey) {
    await endTokens(credentials, owner, others.slice(0, Math.max(0, others.length + 1 - tokensPerUser)));
    return ok(token);
  }
  const keys = await storedTokens(credentials, others);
  const isFull = keys.filter((one) => isGood(one, user, created)).length >= keysPerUser;
  const useless = keys.filter((one) => one.expires <= created);
  await endTokens(credentials, owner, isFull ? [...useless, { sk: entry.sk, hash }] : useless);
  return isFull ? err('too_many_keys') : ok(token);
};

/** A token in a list: its sort key, its hash, and whether it is a key. */
interface Listed {
  readonly sk: string;
  readonly hash: string;
  readonly isKey: boolean;
}

/** The tokens listed with a user, oldest first; some may have expired or been revoked. */
const listedTokens = async (credentials: Table, owner: string): Promise<readonly Listed[]> => {
  const items = await allItems(credentials, credentialKeys.userTokens(owner));
  return items.map((item) => {
    const { token, is_key } = userTokenFrom(item);
    return { sk: item.sk, hash: token, isKey: is_key };
  });
};

/** Deletes tokens: first the item that admits its holder, then the list entry. */
const endTokens = async (
  credentials: Table,
  owner: string,
  tokens: readonly Pick<Listed, 'sk' | 'hash'>[],
): Promise<void> => {
  const pk = credentialKeys.userTokens(owner);
  await credentials.writeMany(
    tokens.map(({ hash }) => ({ kind: 'delete', key: credentialKeys.token(hash), expect: {} })),
  );
  await credentials.writeMany(tokens.map(({ sk }) => ({ kind: 'delete', key: { pk, sk }, expect: {} })));
};

/** Deletes every token of a user. */
export const endAllTokens = async (credentials: Table, username: string): Promise<void> => {
  const owner = userHash(username);
  await endTokens(credentials, owner, await listedTokens(credentials, owner));
};

/**
 * Deletes the token with a hash, and returns it; `undefined` when there is none. It stops working when caches expire, within
 * 30 s.
 */
export const endToken = async (credentials: Table, hash: string): Promise<Token | undefined> => {
  const stored = await credentials.get(credentialKeys.token(hash));
  if (!stored) return undefined;
  const token = tokenFrom(stored);
  const { user, created } = token;
  const { sk } = credentialKeys.userToken(user, created, hash);
  await endTokens(credentials, user, [{ sk, hash }]);
  return token;
};

/** A token with its hash. */
export type HashedToken = Token & { readonly hash: string };

/** The tokens of a user that are valid at a time, oldest first. */
export const goodTokens = async (
  credentials: Table,
  user: User,
  now: number,
): Promise<readonly HashedToken[]> => {
  const listed = await listedTokens(credentials, userHash(user.username));
  return (await storedTokens(credentials, listed)).filter((token) => isGood(token, user, now));
};

/** The tokens of the user with the hash of a name that are valid at a time, oldest first; none when the user is gone. */
export const ownTokens = async (
  credentials: Table,
  owner: string,
  now: number,
): Promise<readonly HashedToken[]> => {
  const stored = await credentials.get(credentialKeys.user(owner));
  return stored ? goodTokens(credentials, userFrom(stored), now) : [];
};

/** Whether a token is valid at a time. */
const isGood = (token: Token, user: User, now: number): boolean =>
  isInForce(token, user) && now < token.expires;

/** Those of the listed tokens that are there. */
const storedTokens = async (
  credentials: Table,
  listed: readonly Listed[],
): Promise<readonly (Token & Listed)[]> => {
  const stored = await credentials.getMany(listed.map(({ hash }) => credentialKeys.token(hash)));
  return listed.flatMap((entry, index) => {
    const item = stored[index];
    return item ? [{ ...tokenFrom(item), ...entry }] : [];
  });
};
