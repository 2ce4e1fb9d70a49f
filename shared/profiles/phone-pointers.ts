/**
 * Phone pointers: find the profiles that show a phone number. A pointer is written before the profile that shows the
 * number, and the profile decides: a lookup ignores a pointer to a profile that shows another number by now. The profile
 * lists its pointers, so that a forgetting removes them all.
 */
import type { PropertyScope } from '../properties/scope.ts';
import { keys, type Key } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';
import type { Pause } from '../runtime/pause.ts';
import { mapLimited } from '../runtime/pool.ts';
import { fewRounds, retryRemaining } from '../runtime/retry.ts';
import { keyedHash } from './identity-claims.ts';
import { keyOf, type State } from './profile-state.ts';
import { parseEntry, type OrdinalEntry } from './stored-profile.ts';
import { tiers } from './types.ts';

/** A number in the form of E.164 with its `+`: a country code and 8 to 15 digits in all. */
export const isPhoneKey = (text: string): boolean => /^\+[1-9]\d{7,14}$/.test(text);

const NAME = 'phone_number';

/** Most pointers of a number that one query reads. */
const POINTERS_PER_QUERY = 100;

/** The phone number that a profile shows: of its most trusted tier with a value. */
const shownPhone = (state: State): string | undefined => {
  for (const tier of Object.values(tiers)) {
    const value = state.get(keyOf('value', tier, NAME))?.value;
    if (typeof value === 'string') return value;
  }
  return undefined;
};

/** The hash of the number that a state shows, if the number has pointers. */
export const phoneHashOf = (scope: PropertyScope, state: State): string | undefined => {
  const phone = shownPhone(state);
  return phone !== undefined && isPhoneKey(phone) ? keyedHash(scope, NAME, phone) : undefined;
};

const pointerKey = (scope: PropertyScope, hash: string, ordinal: number): Key =>
  keys.phonePointer(scope.id, hash, ordinal);

/** The keys of the pointers to a profile. */
export const phonePointersOf = (
  scope: PropertyScope,
  ordinal: number,
  listed: readonly string[],
): readonly Key[] => listed.map((hash) => pointerKey(scope, hash, ordinal));

/** A profile that is about to be written. */
export interface PointedProfile {
  readonly ordinal: number;
  readonly before: State;
  readonly after: State;
  /** Hashes of the numbers from which a pointer leads here. */
  readonly listed: readonly string[];
}

/**
 * Writes the pointers of the numbers that these profiles will show. Returns the longer lists of pointers, by ordinal, which
 * must be stored with the profiles: a forgetting finds by them the pointers of every number that a profile ever showed. A
 * number in another form has no pointer. Idempotent.
 */
export const writePhonePointers = async (
  table: Pick<Table, 'writeMany'>,
  scope: PropertyScope,
  profiles: readonly PointedProfile[],
): Promise<ReadonlyMap<number, readonly string[]>> => {
  const lists = new Map<number, readonly string[]>();
  const writes = profiles.flatMap(({ ordinal, before, after, listed }) => {
    const hash = shownPhone(after) === shownPhone(before) ? undefined : phoneHashOf(scope, after);
    if (hash === undefined || listed.includes(hash)) return [];
    lists.set(ordinal, [...listed, hash]);
    return [{ kind: 'insert', key: pointerKey(scope, hash, ordinal), set: {} } as const];
  });
  if (writes.length > 0) await table.writeMany(writes);
  return lists;
};

/** Profiles that a settling reads at once, each of up to 380 KB. */
const READS_AT_ONCE = 16;

/** A pointer that a refused write of a profile may have left behind. */
export interface LeftPointer {
  readonly ordinal: number;
  readonly hash: string;
}

/** The pointers from a number, at most a page of them. */
export const pointersFrom = async (
  table: Pick<Table, 'query'>,
  scope: PropertyScope,
  hash: string,
): Promise<readonly LeftPointer[]> => {
  const { items } = await table.query(keys.phonePointer(scope.id, hash, 0).pk, { limit: POINTERS_PER_QUERY });
  return items.map(({ sk }) => ({ ordinal: Number(sk), hash }));
};

/**
 * Settles pointers whose profile was not written: lists them at their profile, or removes them when nobody is there any
 * more. Nobody comes back to such an ordinal, so a frozen call may remove them an hour later.
 */
export const settlePointers = async (
  { table, pause }: { readonly table: Table; readonly pause: Pause },
  scope: PropertyScope,
  left: readonly LeftPointer[],
): Promise<void> => {
  const retry = { pause, patience: fewRounds, what: 'profiles: pointers from phone numbers' };
  await retryRemaining(retry, left, async (pending) => {
    const places = pending.map(({ ordinal, hash }) => pointerKey(scope, hash, ordinal));
    const existing = await table.getMany(places);
    const found = pending.filter((_, at) => existing[at] !== undefined);
    const profiles = [...Map.groupBy(found, (one) => one.ordinal)];
    const writes = await mapLimited(profiles, READS_AT_ONCE, async ([ordinal, own]) => {
      const entry = parseEntry(await table.get(keys.profile(scope.id, ordinal)));
      return settlementOf(scope, ordinal, entry, [...new Set(own.map(({ hash }) => hash))]);
    });
    const outcomes = await table.writeMany(writes.flat());
    return outcomes.includes('refused') ? found : [];
  });
};

/** The writes that settle the pointers from these numbers to what is stored at an ordinal. */
const settlementOf = (
  scope: PropertyScope,
  ordinal: number,
  entry: OrdinalEntry,
  hashes: readonly string[],
): readonly Write[] => {
  if (entry.kind === 'empty') return [];
  if (entry.kind !== 'profile')
    return phonePointersOf(scope, ordinal, hashes).map((key) => ({ kind: 'delete', key, expect: {} }));
  const missing = hashes.filter((hash) => !entry.phones.includes(hash));
  if (missing.length === 0) return [];
  const set = { phones: [...entry.phones, ...missing] };
  return [{ kind: 'update', key: keys.profile(scope.id, ordinal), set, expect: { w: entry.w } }];
};

interface PointerSearch<Person> {
  readonly limit: number;
  /** Those at these ordinals who show the number. */
  readonly shown: (ordinals: readonly number[]) => Promise<readonly Person[]>;
}

/**
 * The people who show a number, in the order of their ordinals, `limit` of them at most. A pointer outlives the number, so
 * a page of pointers may lead to nobody. Looks at a thousand pointers at most.
 */
export const peopleAt = async <Person>(
  table: Pick<Table, 'query'>,
  scope: PropertyScope,
  phone: string,
  { limit, shown }: PointerSearch<Person>,
): Promise<readonly Person[]> => {
  const { pk } = keys.phonePointer(scope.id, keyedHash(scope, NAME, phone), 0);
  const found: Person[] = [];
  let after: string | undefined;
  for (let queries = 0; queries < 10; queries += 1) {
    const { items, next } = await table.query(pk, { limit: POINTERS_PER_QUERY, after });
    found.push(...(await shown(items.map(({ sk }) => Number(sk)))));
    if (next === undefined || found.length >= limit) break;
    after = next;
  }
  return found.slice(0, limit);
};
