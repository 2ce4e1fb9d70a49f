/**
 * Authenticator: resolves access tokens to callers and checks that a property belongs to the caller's account
 * (tenant isolation), with a short cache.
 */
import { markOfHash } from '../audit/audit-trail.ts';
import { limits } from '../config/limits.ts';
import * as v from 'valibot';
import type { Caller, PropertyRef } from '../http/api-types.ts';
import { missing } from '../http/not-found.ts';
import { withinRole } from '../http/permissions.ts';
import type { Problem } from '../http/problem.ts';
import type { Clock } from '../runtime/clock.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import type { Table } from '../table/table.ts';
import { MAX_PROPERTY } from '../table/scoped-ids.ts';
import { ownerOf } from './accounts.ts';
import { accountItem, isInForce, tokenFrom, userFrom } from './credential-items.ts';
import { sha256 } from '../runtime/hash.ts';

/**
 * Authenticates callers and authorises their access to properties. Throws when the table cannot be read: nobody
 * is admitted then.
 */
export interface Authenticator {
  /**
   * 401 for a missing, malformed, unknown, expired or revoked token, and for a token of a deleted user or account. Reads
   * the owner of `property` at the same time as the token, for the call of `property` that follows.
   */
  caller(authorization: string | undefined, property?: string): Promise<Result<Caller, Problem>>;
  /** 404, equally for an unknown property, for one of another account, and for one that the token does not reach. */
  property(caller: Caller, id: string | undefined): Promise<Result<PropertyRef, Problem>>;
}

/** Entries of each cache; beyond it the oldest is dropped. */
const CACHED = 1_000;

const unauthorized = (challenge: string, detail: string): Problem => ({
  status: 401,
  code: 'unauthorized',
  detail,
  headers: { 'www-authenticate': challenge },
});

/** One answer for unknown, expired and revoked tokens, so that nobody learns which tokens were once good. */
const badToken = unauthorized(
  'Bearer error="invalid_token"',
  'The token is not valid, has expired or was revoked; get a new one from POST /oauth/token.',
);
const noHeader = unauthorized(
  'Bearer',
  'There is no Authorization header; send "Authorization: Bearer <token>".',
);
const otherScheme = unauthorized('Bearer', 'The Authorization header must be "Bearer <token>".');

/**
 * Authentication against the table of credentials. A read is trusted for at most
 * `limits.auth.tokenCacheSeconds`, so that a revoked token stops working within 30 s. The clock here never goes
 * back, so that a clock that is set back revives no token.
 */
export const authenticator = ({
  credentials,
  clock,
}: {
  credentials: Table;
  clock: Clock;
}): Authenticator => {
  const now = monotonic(clock);
  const callers = cacheOf<Caller>(now);
  const owners = cacheOf<number>(now);
  const ownerThrough = (property: number): Promise<number | undefined> =>
    owners.through(String(property), () => ownerOf(credentials, property));
  return {
    caller: async (authorization, id) => {
      const token = bearerToken(authorization);
      if (!token.ok) return token;
      const hash = sha256(token.value);
      const property = propertyIn(id);
      const [caller] = await Promise.all([
        callers.through(hash, () => readCaller(credentials, hash)),
        property === undefined ? undefined : ownerThrough(property),
      ]);
      return caller && now() < caller.expires ? ok(caller) : err(badToken);
    },
    property: async ({ account, properties }, id) => {
      const property = propertyIn(id);
      if (property === undefined) return err(noProperty);
      const isReached = properties === null || properties.includes(property);
      const isOwn = (await ownerThrough(property)) === account;
      return isOwn && isReached ? ok({ id: property, account }) : err(noProperty);
    },
  };
};

/** One answer for a property that is unknown, is of another account, or is out of the reach of the token. */
const noProperty = missing('There is no such property, or the token does not reach it.');

/** The id of a property in a path; `undefined` for an id that cannot exist. */
const propertyIn = (id: string | undefined): number | undefined => {
  const property = /^[1-9][0-9]{0,6}$/.test(id ?? '') ? Number(id) : MAX_PROPERTY + 1;
  return property > MAX_PROPERTY ? undefined : property;
};

/** The token of an Authorization header: the scheme in any case, then exactly 64 lower-case hex digits. */
const bearerToken = (authorization: string | undefined): Result<string, Problem> => {
  if (authorization === undefined) return err(noHeader);
  if (!/^bearer /i.test(authorization)) return err(otherScheme);
  const token = authorization.slice('bearer '.length).trim();
  return /^[0-9a-f]{64}$/.test(token) ? ok(token) : err(badToken);
};

const readCaller = async (credentials: Table, hash: string): Promise<Caller | undefined> => {
  const stored = await credentials.get(credentialKeys.token(hash));
  if (!stored) return undefined;
  const token = tokenFrom(stored);
  const [storedUser, account] = await credentials.getMany([
    credentialKeys.user(token.user),
    credentialKeys.account(token.account),
  ]);
  const user = storedUser && userFrom(storedUser);
  if (!user || !account || !isInForce(token, user)) return undefined;
  const { id, email, first_name, last_name, role } = user;
  const { permissions, properties, name } = token;
  const { id: number, requests_per_second } = v.parse(accountItem, account);
  return {
    user: { id, email, first_name, last_name },
    userHash: token.user,
    role,
    permissions: withinRole(permissions, role),
    properties,
    token: { id: markOfHash(hash), name },
    account: number,
    requestsPerSecond: requests_per_second ?? undefined,
    expires: token.expires,
  };
};

const monotonic = (clock: Clock): Clock => {
  let latest = 0;
  return () => (latest = Math.max(latest, clock()));
};

/** Values trusted for a bounded time, counted from before they were read; a missing value is not cached. */
const cacheOf = <Value>(now: Clock) => {
  const entries = new Map<string, { readonly value: Value; readonly until: number }>();
  const keep = (name: string, value: Value, until: number): Value => {
    const oldest = entries.size < CACHED ? undefined : entries.keys().next().value;
    if (oldest !== undefined) entries.delete(oldest);
    entries.set(name, { value, until });
    return value;
  };
  return {
    through: async (name: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> => {
      const started = now();
      const entry = entries.get(name);
      if (entry && started < entry.until) return entry.value;
      entries.delete(name);
      const value = await read();
      return value === undefined
        ? undefined
        : keep(name, value, started + limits.auth.tokenCacheSeconds * 1000);
    },
  };
};
