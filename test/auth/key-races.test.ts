import { describe, expect, it } from 'vitest';
import { readUser } from '../../shared/auth/change-user.ts';
import { userHash, type Grant, type User } from '../../shared/auth/credential-items.ts';
import { endAllTokens, goodTokens, makeToken } from '../../shared/auth/tokens.ts';
import { limits } from '../../shared/config/limits.ts';
import { allPermissions } from '../../shared/http/permissions.ts';
import { sha256 } from '../../shared/runtime/hash.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { ok } from '../../shared/runtime/result.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { seeded, TurnTable } from '../ingest/interleave.ts';
import { dyingAnywhere } from '../support/death.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { casesOf } from '../support/scale.ts';

const { keysPerUser, tokensPerUser } = limits.auth;
const RACES = casesOf('KEY_RACES', { full: 2_000, sample: 150 });

const key: Grant = { permissions: [...allPermissions], properties: null, name: 'Key' };
const signIn: Grant = { ...key, name: null };

/** The one user of a table of credentials. */
const userIn = async (credentials: MemoryTable): Promise<User> => {
  await credentials.put(credentialKeys.user(userHash('ada')), {
    ...{ version: 2, id: 1, account: 1, username: 'ada', email: 'ada@example.test' },
    ...{ first_name: 'A', last_name: 'L', password: 'x', epoch: 'e', disabled: false, ssh_keys: [] },
    role: 'owner',
  });
  const user = await readUser(credentials, 'ada');
  if (!user) throw new Error('the user is missing');
  return user;
};

/** A user with some tokens, each made a millisecond after the one before it. */
const withTokens = async <T extends MemoryTable>(
  credentials: T,
  count: number,
  grant: Grant,
  lifetime = 1_000,
) => {
  const user = await userIn(credentials);
  const time = { now: 1_000 };
  const store = { credentials, clock: () => (time.now += 1), ids: systemIds };
  const make = (asked: Grant, seconds = 1_000) => makeToken(store, user, asked, seconds);
  for (let at = 0; at < count; at += 1) await make(grant, lifetime);
  return {
    credentials,
    make,
    /** The hashes of the tokens in force. */
    good: async () => (await goodTokens(credentials, user, time.now)).map(({ hash }) => hash),
  };
};

/** Tokens that admit whoever holds them and that no list has. */
const unlisted = (credentials: MemoryTable): readonly string[] => {
  const listed = new Set(credentials.items().map(({ token }) => `TOKEN#${String(token)}`));
  return credentials.items().flatMap(({ pk }) => (pk.startsWith('TOKEN#') && !listed.has(pk) ? [pk] : []));
};

describe('requests for a key at the same time', () => {
  it.each([
    [1, 2],
    [1, 3],
    [2, 3],
  ])(`never leave more than ${keysPerUser}: with %i place left for %i requests`, async (places, requests) => {
    let admitted = 0;
    for (let seed = 0; seed < RACES; seed += 1) {
      const { credentials, make, good } = await withTokens(new TurnTable(), keysPerUser - places, key);
      const before = await good();
      const ends = await credentials.interleave(
        Array.from({ length: requests }, () => () => make(key)),
        seeded(seed),
      );
      const made = ends.flatMap((end) =>
        end.status === 'fulfilled' && end.value.ok ? [end.value.value] : [],
      );
      expect(ends.every(({ status }) => status === 'fulfilled')).toBe(true);
      expect(made.length, `seed ${seed}`).toBeLessThanOrEqual(places);
      expect((await good()).toSorted(), `seed ${seed}`).toEqual(
        [...before, ...made.map((token) => sha256(token))].toSorted(),
      );
      admitted += made.length;
    }
    expect(admitted).toBeGreaterThan(0);
  });

  it('take no place that was free for all of them', async () => {
    for (let seed = 0; seed < RACES; seed += 1) {
      const { credentials, make, good } = await withTokens(new TurnTable(), keysPerUser - 3, key);
      await credentials.interleave([() => make(key), () => make(key), () => make(signIn)], seeded(seed));
      expect(await good()).toHaveLength(keysPerUser);
    }
  });

  it('leave no more keys that somebody knows when processes die', async () => {
    for (let seed = 0; seed < RACES; seed += 1) {
      const { credentials, make } = await withTokens(new TurnTable(), keysPerUser - 1, key);
      const ends = await credentials.interleave([() => make(key), () => make(key)], seeded(seed), 6);
      const known = ends.filter((end) => end.status === 'fulfilled' && end.value.ok);
      expect(known.length, `seed ${seed}`).toBeLessThanOrEqual(1);
      expect(unlisted(credentials), `seed ${seed}`).toEqual([]);
    }
  });
});

describe('a process that dies while it makes or ends a token', () => {
  it.each([
    ['the first token', { grant: signIn, earlier: 0, lifetime: 1_000, left: 1 }],
    [
      'one more token than a user may have',
      { grant: signIn, earlier: tokensPerUser, lifetime: 1_000, left: tokensPerUser },
    ],
    ['a key', { grant: key, earlier: 3, lifetime: 1_000, left: 4 }],
    [
      'one more key than a user may have',
      { grant: key, earlier: keysPerUser, lifetime: 1_000, left: keysPerUser },
    ],
    ['a key after others that have expired', { grant: key, earlier: 2, lifetime: 0, left: 1 }],
  ])('leaves none that admits without being listed: %s', async (_, { grant, earlier, left, lifetime }) => {
    const operations = await dyingAnywhere({
      needsAll: true,
      begin: (tick) => withTokens(new MemoryTable(tick), earlier, grant, lifetime),
      run: ({ make }) => make(grant),
      check: async ({ credentials, good }, fatal, died) => {
        expect(unlisted(credentials), `dies at ${fatal}`).toEqual([]);
        if (!died) expect(await good()).toHaveLength(left);
      },
    });
    expect(operations).toBeGreaterThan(2);
  });

  it('has ended every token that it took from the list', async () => {
    await dyingAnywhere({
      needsAll: true,
      begin: (tick) => withTokens(new MemoryTable(tick), 5, key),
      run: async ({ credentials }) => {
        await endAllTokens(credentials, 'ada');
        return ok(undefined);
      },
      check: ({ credentials }) => {
        expect(unlisted(credentials)).toEqual([]);
        return Promise.resolve();
      },
    });
  });
});
