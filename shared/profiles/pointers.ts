/**
 * Pointers: lead from values that several people may have to their profiles: from phone numbers, and from last names where
 * the property searches by them. A pointer is written before the profile, and the profile decides: a search ignores a
 * pointer to a profile that shows another value by now. Where the property searches by name, a pointer ends with its value;
 * elsewhere it stays until its person is forgotten, because release 0.2.0 may write beside.
 *
 * The profile lists its pointers: those that are there, and, marked, those that have ended and may still be there. What it
 * lists without a mark exists (docs/internals/claims.md#pointers): a writer lists a pointer only after it has stored it,
 * newly or once more; and it removes one only if nobody has stored it since before a write of the profile without it.
 */
import type { PropertyScope } from '../properties/scope.ts';
import { UnavailableError } from '../runtime/aws-errors.ts';
import type { Pause } from '../runtime/pause.ts';
import { mapLimited } from '../runtime/pool.ts';
import { fewRounds, retryRemaining } from '../runtime/retry.ts';
import { keys, type Key } from '../table/keys.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';
import { keyedHash } from './identity-claims.ts';
import { placeOfName } from './name-places.ts';
import { isNobody, keyOf, type State } from './profile-state.ts';
import { parseEntry, pointersItem, type OrdinalEntry, type PointerLists } from './stored-profile.ts';
import { closing } from './tombstone.ts';
import { tiers } from './types.ts';

/** A number in the form of E.164 with its `+`: a country code and 8 to 15 digits in all. */
export const isPhoneKey = (text: string): boolean => /^\+[1-9]\d{7,14}$/.test(text);

const PHONE = 'phone_number';

/** A pointer as a profile lists it is its kind and hashes of its value; a mark before it says that it has ended. */
const [OF_PHONE, OF_NAME, ENDED] = ['phone:', 'name:', '-'];

/** The text of a field that a profile shows: of its most trusted tier with a value. */
const shownText = (state: State, field: string): string | null => {
  for (const tier of Object.values(tiers)) {
    const value = state.get(keyOf('value', tier, field))?.value;
    if (typeof value === 'string') return value;
  }
  return null;
};

/** The pointer from the number that a state shows, if the number has pointers. */
export const phonePointerOf = (scope: PropertyScope, state: State): string | undefined => {
  const phone = shownText(state, PHONE);
  return phone !== null && isPhoneKey(phone) ? `${OF_PHONE}${keyedHash(scope, PHONE, phone)}` : undefined;
};

/** The pointer from the last name and the town that a state shows, if the property searches by them. */
export const namePointerOf = (scope: PropertyScope, state: State): string | undefined => {
  if (!scope.rules.searchNames || isNobody(state)) return undefined;
  const name = shownText(state, 'last_name');
  const place = name === null ? undefined : placeOfName(scope, name, shownText(state, 'city'));
  return place && `${OF_NAME}${place.head}.${place.rest}`;
};

/** The key of a pointer to the profile at an ordinal. */
const pointerKey = (property: number, pointer: string, ordinal: number): Key => {
  if (pointer.startsWith(OF_PHONE))
    return keys.phonePointer(property, pointer.slice(OF_PHONE.length), ordinal);
  const [head = '', rest = ''] = pointer.slice(OF_NAME.length).split('.');
  return keys.namePointer(property, head, { rest, ordinal });
};

const isEnded = (listed: string): boolean => listed.startsWith(ENDED);
const endedOnes = (listed: readonly string[]): readonly string[] =>
  listed.filter(isEnded).map((one) => one.slice(ENDED.length));

/** The keys of all pointers that a profile lists. */
export const pointerKeysOf = (
  property: number,
  ordinal: number,
  listed: readonly string[],
): readonly Key[] => {
  const live = listed.filter((one) => !isEnded(one));
  const all = new Set([...live, ...endedOnes(listed)]);
  return [...all].map((pointer) => pointerKey(property, pointer, ordinal));
};

/** A profile that is about to be written. */
export interface PointedProfile {
  readonly ordinal: number;
  /** Undefined: every pointer is looked at. */
  readonly before: State | undefined;
  readonly after: State;
  /** The list that is stored. */
  readonly listed: readonly string[];
}

/** What a write of a profile does to its pointers. */
interface PointerChange {
  /** Those that are listed and stay, marks included. */
  readonly kept: readonly string[];
  /** Those that must be stored before they are listed. */
  readonly fresh: readonly string[];
  /** Those that end, or have ended and may still be there. */
  readonly gone: readonly string[];
}

/** `left` are pointers that a refused write of the profile may have stored. */
const changeOf = (
  scope: PropertyScope,
  { before, after, listed }: Omit<PointedProfile, 'ordinal'>,
  left: readonly string[] = [],
): PointerChange => {
  const ends = scope.rules.searchNames;
  const isSame = (field: string): boolean =>
    before !== undefined && shownText(before, field) === shownText(after, field);
  const live = listed.filter((one) => !isEnded(one));
  const unlisted = left.filter((one) => !live.includes(one));
  // The pointer of a value that stays is listed, and where pointers do not end it needs no look.
  const phone = ends || !isSame(PHONE) ? phonePointerOf(scope, after) : undefined;
  const isNameKept = ends && isSame('last_name') && isSame('city') && !isNobody(after);
  const keptName = isNameKept ? live.find((one) => one.startsWith(OF_NAME)) : undefined;
  const name = keptName ?? namePointerOf(scope, after);
  const wanted = [phone, name].filter((one) => one !== undefined);
  const outlives = (one: string): boolean => !ends && one.startsWith(OF_PHONE);
  const stays = (one: string): boolean => wanted.includes(one) || outlives(one);
  const fresh = [...new Set([...wanted, ...unlisted.filter(outlives)])].filter((one) => !live.includes(one));
  const ended = endedOnes(listed);
  const gone = new Set([
    ...live.filter((one) => !stays(one)),
    ...ended.filter((one) => !outlives(one)),
    ...unlisted,
  ]);
  for (const one of [...fresh, ...live.filter(stays)]) gone.delete(one);
  // Where pointers do not end, release 0.2.0 may write beside, and would list an ended one without storing it.
  const resting = ended.filter((one) => outlives(one) && !fresh.includes(one) && !live.includes(one));
  return { kept: [...live.filter(stays), ...resting.map((one) => `${ENDED}${one}`)], fresh, gone: [...gone] };
};

/** Whether a profile lacks a pointer, or has one that must end. */
export const needsPointers = (scope: PropertyScope, state: State, listed: readonly string[]): boolean => {
  const { fresh, gone } = changeOf(scope, { before: undefined, after: state, listed });
  return fresh.length > 0 || gone.length > 0;
};

/** The pointers to a profile as its write must leave them. */
export interface Pointed {
  /** What must be stored with the profile; undefined when the stored list is right. */
  readonly lists: PointerLists | undefined;
  /** Those that this writer has stored. */
  readonly fresh: readonly string[];
  /** Removes those that end, once the profile is written. Nobody who stored one since they were read loses it. */
  readonly endings: readonly Write[];
}

/** Where a change leads. */
interface Change extends PointerChange {
  readonly ordinal: number;
  readonly listed: readonly string[];
}

/**
 * Stores the pointers of the values that these profiles will show, and reads those that end. Returns by ordinal what the
 * write of each profile must do. A number in another form than E.164 has no pointer. Idempotent.
 */
export const preparePointers = async (
  table: PointerTable,
  scope: PropertyScope,
  profiles: readonly PointedProfile[],
): Promise<ReadonlyMap<number, Pointed>> =>
  carryOut(
    table,
    scope.id,
    profiles.map((one) => ({ ...changeOf(scope, one), ordinal: one.ordinal, listed: one.listed })),
  );

type PointerTable = Pick<Table, 'getMany' | 'writeMany'>;

const carryOut = async (
  table: PointerTable,
  property: number,
  changes: readonly Change[],
): Promise<ReadonlyMap<number, Pointed>> => {
  const due = changes.filter(({ fresh, gone }) => fresh.length + gone.length > 0);
  const freshKeys = due.flatMap(({ ordinal, fresh }) =>
    fresh.map((one) => pointerKey(property, one, ordinal)),
  );
  const goneOnes = due.flatMap(({ ordinal, gone }) => gone.map((pointer) => ({ ordinal, pointer })));
  const [found] = await Promise.all([
    readPointers(table, property, goneOnes),
    storePointers(table, freshKeys),
  ]);
  return new Map(
    due.map(({ ordinal, kept, fresh, gone, listed }) => {
      const existing = gone.flatMap((pointer) => {
        const item = found.get(nameOf(ordinal, pointer));
        return item ? [{ pointer, item }] : [];
      });
      const list = [...kept, ...fresh, ...existing.map(({ pointer }) => `${ENDED}${pointer}`)];
      const endings = existing.map(({ item: { pk, sk, w } }) => ({
        ...({ kind: 'delete', key: { pk, sk }, expect: { w } } as const),
      }));
      return [ordinal, { lists: isSameList(list, listed) ? undefined : { list, listed }, fresh, endings }];
    }),
  );
};

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((pointer) => other.includes(pointer));

const nameOf = (ordinal: number, pointer: string): string => `${ordinal} ${pointer}`;

/** The items of these pointers, by `nameOf`. */
const readPointers = async (
  table: Pick<Table, 'getMany'>,
  property: number,
  pointers: readonly LeftPointer[],
): Promise<ReadonlyMap<string, StoredItem>> => {
  if (pointers.length === 0) return new Map();
  const items = await table.getMany(
    pointers.map(({ ordinal, pointer }) => pointerKey(property, pointer, ordinal)),
  );
  return new Map(
    pointers.flatMap(({ ordinal, pointer }, at) => {
      const item = items[at];
      return item ? [[nameOf(ordinal, pointer), item] as const] : [];
    }),
  );
};

/** Times that a writer stores pointers which others store and remove at the same moment. */
const STORED_AT_MOST = 10;

/** Stores pointers. One that is there gets another nonce, so that whoever is about to remove it does not. */
const storePointers = async (table: Pick<Table, 'writeMany'>, places: readonly Key[]): Promise<void> => {
  let pending = places;
  for (let round = 0; pending.length > 0; round += 1) {
    if (round === STORED_AT_MOST) throw new UnavailableError('profiles: pointers that others store');
    // Inserted, or once more written; by turns, because another writer may have made or removed it meanwhile.
    const writeOf = (key: Key): Write =>
      round % 2 === 0 ? { kind: 'insert', key, set: {} } : { kind: 'update', key, set: {}, expect: {} };
    const outcomes = await table.writeMany(pending.map(writeOf));
    pending = pending.filter((_, at) => outcomes[at] !== 'applied');
  }
};

/** Removes the pointers that ended with writes of profiles. */
export const endPointers = async (
  table: Pick<Table, 'writeMany'>,
  written: readonly (Pointed | undefined)[],
): Promise<void> => {
  const endings = written.flatMap((one) => one?.endings ?? []);
  if (endings.length > 0) await table.writeMany(endings);
};

/** Profiles that a settling reads at once, each of up to 380 KB. */
const READS_AT_ONCE = 16;

/** A pointer that a refused write of a profile may have left behind. */
export interface LeftPointer {
  readonly ordinal: number;
  readonly pointer: string;
}

/** Most pointers of a number that one query reads. */
const POINTERS_PER_QUERY = 100;

/** The pointers from a number, at most a page of them. */
export const pointersLike = async (
  table: Pick<Table, 'query'>,
  scope: PropertyScope,
  pointer: string,
): Promise<readonly LeftPointer[]> => {
  const { items } = await table.query(pointerKey(scope.id, pointer, 0).pk, { limit: POINTERS_PER_QUERY });
  return items.map(({ sk }) => ({ ordinal: Number(sk), pointer }));
};

interface SettleDeps {
  readonly table: Table;
  readonly pause: Pause;
}

/**
 * Settles pointers whose profile was not written: lists them at their profile or ends them, or removes them when nobody is
 * there. Nobody comes back to such an ordinal, so a frozen call may remove them an hour later.
 */
export const settlePointers = async (
  deps: SettleDeps,
  scope: PropertyScope,
  left: readonly LeftPointer[],
): Promise<void> => {
  if (left.length === 0) return;
  const found = await readPointers(deps.table, scope.id, left);
  const existing = left.filter(({ ordinal, pointer }) => found.has(nameOf(ordinal, pointer)));
  await givePointers(deps, scope, existing);
};

/**
 * Gives people the pointers of the values that they show, and ends others, besides those that a write may have left. With
 * `again` it stores listed pointers once more: a restored table may lack some of them.
 */
export const givePointers = async (
  { table, pause }: SettleDeps,
  scope: PropertyScope,
  people: readonly { readonly ordinal: number; readonly pointer?: string }[],
  again = false,
): Promise<void> => {
  const retry = { pause, patience: fewRounds, what: 'profiles: pointers' };
  const grouped = [...Map.groupBy(people, ({ ordinal }) => ordinal)];
  await retryRemaining(retry, grouped, async (pending) => {
    const refused = await mapLimited(pending, READS_AT_ONCE, async (one) => {
      const [ordinal, own] = one;
      const entry = parseEntry(await table.get(keys.profile(scope.id, ordinal)));
      const left = own.flatMap(({ pointer }) => pointer ?? []);
      const stored = await settleAt(table, scope, { ordinal, entry, left, again });
      // What a refused round has stored is left like what others stored: the profile may show another value by now.
      return stored === undefined ? [] : [withLeft(one, stored)];
    });
    return refused.flat();
  });
};

/** A person with the pointers that a write may have left. */
type Settling = [ordinal: number, own: { readonly ordinal: number; readonly pointer?: string }[]];

const withLeft = ([ordinal, own]: Settling, stored: readonly string[]): Settling => [
  ordinal,
  [...own, ...stored.map((pointer) => ({ ordinal, pointer }))],
];

interface Unsettled {
  readonly ordinal: number;
  readonly entry: OrdinalEntry;
  readonly left: readonly string[];
  /** Whether listed pointers are stored once more. */
  readonly again: boolean;
}

/** Settles the pointers to what is stored at an ordinal. Returns those that it stored in vain when that changed meanwhile. */
const settleAt = async (
  table: Table,
  scope: PropertyScope,
  { ordinal, entry, left, again }: Unsettled,
): Promise<readonly string[] | undefined> => {
  // Nobody has stored a profile there. Once the ordinal is closed nobody will, and whoever was about to starts over.
  if (entry.kind === 'empty' && (await table.write(closing(scope.id, ordinal))) === 'refused') return [];
  if (entry.kind !== 'profile') {
    const places = pointerKeysOf(scope.id, ordinal, left);
    await table.writeMany(places.map((key) => ({ kind: 'delete', key, expect: {} })));
    return undefined;
  }
  const { state, pointers: listed, w } = entry;
  const own = { before: undefined, after: state, listed };
  const changed = changeOf(scope, own, left);
  const repeated = again ? changed.kept.filter((one) => !isEnded(one)) : [];
  const kept = changed.kept.filter((one) => !repeated.includes(one));
  const change = { ...changed, kept, fresh: [...repeated, ...changed.fresh], ordinal, listed };
  const pointed = (await carryOut(table, scope.id, [change])).get(ordinal);
  if (!pointed || (!pointed.lists && pointed.endings.length === 0 && repeated.length === 0)) return undefined;
  // The profile gets another nonce in any case: no writer who read it earlier can list what is about to end.
  const set = pointersItem(pointed.lists ?? { list: listed, listed });
  const key = keys.profile(scope.id, ordinal);
  const written = await table.write({ kind: 'update', key, set, expect: { w } });
  if (written === 'refused') return pointed.fresh;
  await endPointers(table, [pointed]);
  return undefined;
};

interface PointerSearch<Person> {
  readonly limit: number;
  /** Those at these ordinals who show the number. */
  readonly shown: (ordinals: readonly number[]) => Promise<readonly Person[]>;
}

/**
 * The people who show a number, in the order of their ordinals, `limit` of them at most. A pointer may outlive the number,
 * so a page of pointers may lead to nobody. Looks at a thousand pointers at most.
 */
export const peopleAt = async <Person>(
  table: Pick<Table, 'query'>,
  scope: PropertyScope,
  phone: string,
  { limit, shown }: PointerSearch<Person>,
): Promise<readonly Person[]> => {
  const { pk } = keys.phonePointer(scope.id, keyedHash(scope, PHONE, phone), 0);
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
