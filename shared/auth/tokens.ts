/** Access tokens: creates, lists and revokes the tokens of users. Only hashes are stored. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { ttlAt, type Clock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import { allItems } from '../table/all-items.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import type { Table } from '../table/table.ts';
import { insertNew } from './accounts.ts';
import { tokenItem, userHash, userTokenItem, type Token, type User } from './credential-items.ts';
import { sha256 } from '../runtime/hash.ts';

export interface TokenStore {
  readonly credentials: Table;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Creates a token of 256 random bits for a user and returns it; only its SHA-256 is stored. The list entry is
 * written before the token, so no token is missing from the list. A user has at most
 * `limits.auth.tokensPerUser`: the oldest are revoked.
 */
export const makeToken = async ({ credentials, clock, ids }: TokenStore, user: User): Promise<string> => {
  const token = ids.hex(32);
  const [hash, owner] = [sha256(token), userHash(user.username)];
  const created = clock();
  const expires = created + limits.auth.tokenSeconds * 1000;
  const ttl = ttlAt(expires);
  const listed = await listedTokens(credentials, owner);
  await endTokens(
    credentials,
    owner,
    listed.slice(0, Math.max(0, listed.length + 1 - limits.auth.tokensPerUser)),
  );
  await insertNew(credentials, credentialKeys.userToken(owner, created, hash), { token: hash, ttl });
  const set = { user: owner, account: user.account, epoch: user.epoch, created, expires, ttl };
  await insertNew(credentials, credentialKeys.token(hash), set);
  return token;
};

/** A token in a list: its sort key and its hash. */
interface Listed {
  readonly sk: string;
  readonly hash: string;
}

/** The tokens listed with a user, oldest first; some may have expired or been revoked. */
const listedTokens = async (credentials: Table, owner: string): Promise<readonly Listed[]> => {
  const items = await allItems(credentials, credentialKeys.userTokens(owner));
  return items.map((item) => ({ sk: item.sk, hash: v.parse(userTokenItem, item).token }));
};

/** Deletes tokens: first the item that admits its holder, then the list entry. */
const endTokens = async (credentials: Table, owner: string, tokens: readonly Listed[]): Promise<void> => {
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
  const token = v.parse(tokenItem, stored);
  const { user, created } = token;
  const { sk } = credentialKeys.userToken(user, created, hash);
  await endTokens(credentials, user, [{ sk, hash }]);
  return token;
};

/** The tokens of a user that are valid at a time, oldest first, each with its hash. */
export const goodTokens = async (
  credentials: Table,
  user: User,
  now: number,
): Promise<readonly (Token & { readonly hash: string })[]> => {
  const listed = await listedTokens(credentials, userHash(user.username));
  const stored = await credentials.getMany(listed.map(({ hash }) => credentialKeys.token(hash)));
  return listed.flatMap(({ hash }, index) => {
    const token = stored[index] && v.parse(tokenItem, stored[index]);
    return token && token.epoch === user.epoch && now < token.expires ? [{ ...token, hash }] : [];
  });
};
