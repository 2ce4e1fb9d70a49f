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
import type { Key } from '../table/keys.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';
import {
  ended,
  endedOnes,
  isOfName,
  isOfPhone,
  liveOnes,
  namePointerOf,
  PHONE,
  phonePointerOf,
  pointerKey,
  type PointedField,
  shownText,
} from './pointer-keys.ts';
import { isNobody, type State } from './profile-state.ts';
import type { PointerLists } from './stored-profile.ts';

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

/** What a write does to the pointers of its profile. `left` are those that a refused write of it may have stored. */
export const pointerChangeOf = (
  scope: PropertyScope,
  { before, after, listed }: Omit<PointedProfile, 'ordinal'>,
  left: readonly string[] = [],
): PointerChange => {
  const ends = scope.rules.searchNames;
  const isSame = (field: PointedField): boolean =>
    before !== undefined && shownText(before, field) === shownText(after, field);
  const live = liveOnes(listed);
  const unlisted = left.filter((one) => !live.includes(one));
  // The pointer of a value that stays is listed, and where pointers do not end it needs no look.
  const phone = ends || !isSame(PHONE) ? phonePointerOf(scope, after) : undefined;
  const isNameKept = ends && isSame('last_name') && isSame('city') && !isNobody(after);
  const keptName = isNameKept ? live.find(isOfName) : undefined;
  const name = keptName ?? namePointerOf(scope, after);
  const wanted = [phone, name].filter((one) => one !== undefined);
  const outlives = (one: string): boolean => !ends && isOfPhone(one);
  const stays = (one: string): boolean => wanted.includes(one) || outlives(one);
  const fresh = [...new Set([...wanted, ...unlisted.filter(outlives)])].filter((one) => !live.includes(one));
  const marked = endedOnes(listed);
  const gone = new Set([
    ...live.filter((one) => !stays(one)),
    ...marked.filter((one) => !outlives(one)),
    ...unlisted,
  ]);
  for (const one of [...fresh, ...live.filter(stays)]) gone.delete(one);
  // Where pointers do not end, release 0.2.0 may write beside, and would list an ended one without storing it.
  const resting = marked.filter((one) => outlives(one) && !fresh.includes(one) && !live.includes(one));
  return { kept: [...live.filter(stays), ...resting.map(ended)], fresh, gone: [...gone] };
};

/**
 * The list with marks at the pointers that a write of a profile will store; undefined where each has its mark. Whoever stores
 * this list first leaves no pointer that the profile does not list, wherever it dies.
 */
export const listedAhead = (
  scope: PropertyScope,
  profile: Omit<PointedProfile, 'ordinal'>,
): PointerLists | undefined => {
  const { listed } = profile;
  const marked = pointerChangeOf(scope, profile).fresh.map(ended);
  const missing = marked.filter((one) => !listed.includes(one));
  return missing.length === 0 ? undefined : { list: [...listed, ...missing], listed };
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
  carryOutChanges(
    table,
    scope.id,
    profiles.map((one) => ({ ...pointerChangeOf(scope, one), ordinal: one.ordinal, listed: one.listed })),
  );

type PointerTable = Pick<Table, 'getMany' | 'writeMany'>;

/** Stores what changes must store, and reads what must end: see `preparePointers`. */
export const carryOutChanges = async (
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
        const item = found.get(pointerName(ordinal, pointer));
        return item ? [{ pointer, item }] : [];
      });
      const list = [...kept, ...fresh, ...existing.map(({ pointer }) => ended(pointer))];
      const endings = existing.map(({ item: { pk, sk, w } }) => ({
        ...({ kind: 'delete', key: { pk, sk }, expect: { w } } as const),
      }));
      return [ordinal, { lists: isSameList(list, listed) ? undefined : { list, listed }, fresh, endings }];
    }),
  );
};

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((pointer) => other.includes(pointer));

/** Tells the pointers to several profiles apart. */
export const pointerName = (ordinal: number, pointer: string): string => `${ordinal} ${pointer}`;

/** A pointer that a refused write of a profile may have left behind. */
export interface LeftPointer {
  readonly ordinal: number;
  readonly pointer: string;
}

/** The items of these pointers, by `pointerName`. */
export const readPointers = async (
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
      return item ? [[pointerName(ordinal, pointer), item] as const] : [];
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
