/** Stored profile: encodes the state of a profile as an item, and parses the item at an ordinal. */
import * as v from 'valibot';
import type { Attributes, StoredItem } from '../table/table.ts';
import { consentStates } from './consent.ts';
import { clearableAreas, stateOf, type Area, type LwwRegister, type State } from './profile-state.ts';
import { isStamp } from '../runtime/hybrid-timestamp.ts';
import { encodedStateIn, isStoredState, type StoredState } from './stored-state.ts';
import { tombstone, tombstoneOf, type Tombstone } from './tombstone.ts';
import { tiers, type ExtraValue, type StoredTimes, type Tier } from './types.ts';

/**
 * The content of an ordinal. `vacant`: no item yet, though a claim may point here (a provisional ordinal).
 * `redirect`: the profile is at `to`. `forgotten`: a permanent tombstone; claims that still point here are
 * free.
 */
export type OrdinalEntry =
  | ({
      readonly kind: 'profile';
      readonly state: State;
      readonly w: string;
      /** Trace of the creating record, if it had one. */
      readonly trace: string | undefined;
      /** The pointers that lead here: see `pointers.ts`. */
      readonly pointers: readonly string[];
      /** Size of its state as it is stored. */
      readonly bytes: number;
    } & StoredTimes)
  | { readonly kind: 'redirect'; readonly to: number }
  | Tombstone
  | { readonly kind: 'empty' };

/**
 * Registers of one record share tier, stamp and origin. A profile is stored as groups of such registers; most
 * profiles have one group. The groups are JSON text in one attribute: DynamoDB's numbers hold neither 1e-200
 * nor more than 38 digits, and text is several times as fast to write and read as nested attributes. Empty lists are left
 * out.
 */
export interface RegisterGroup {
  readonly tier: Tier;
  readonly stamp: string;
  readonly origin: string;
  values?: Record<string, ExtraValue | null>;
  extra?: [string, ExtraValue | null][];
  tags?: string[];
  likes?: string[];
  labels?: string[];
  identities?: string[];
  /** The time, the state and the source of the statement of each channel. */
  consents?: [string, ExtraValue | null][];
  erased?: string[];
  untags?: string[];
  untagsAt?: string[];
  retags?: string[];
}

type IsPart = (value: unknown) => boolean;

/** Whether a value is an array, each element of which is right. A loop takes half the time of `every`. */
const listOf =
  (isRight: IsPart): IsPart =>
  (value) => {
    if (!Array.isArray(value)) return false;
    for (const one of value) if (!isRight(one)) return false;
    return true;
  };

/** Whether a value is an array with these elements. */
const tupleOf =
  (...parts: readonly IsPart[]): IsPart =>
  (value) =>
    Array.isArray(value) &&
    value.length === parts.length &&
    parts.every((isRight, index) => isRight(value[index]));

const oneOf =
  (...values: readonly unknown[]): IsPart =>
  (value) =>
    values.includes(value);

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull: IsPart = (value) => value === null || isText(value);
const isValue: IsPart = (value) => isTextOrNull(value) || typeof value === 'number';
const isScalar: IsPart = (value) => isValue(value) || typeof value === 'boolean';
const isScalars = listOf(isScalar);
const isExtraValue: IsPart = (value) => isScalar(value) || isScalars(value);
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNames = listOf(isText);
const isValues: IsPart = (value) => {
  if (!isRecord(value)) return false;
  for (const name in value) if (!isValue(value[name])) return false;
  return true;
};

/** The form of each part of a group. Schemas would take a fifth of the time of a page. */
const partsOfGroup: ReadonlyMap<string, IsPart> = new Map(
  Object.entries({
    tier: oneOf(...Object.values(tiers)),
    stamp: (value) => isText(value) && isStamp(value),
    origin: isText,
    values: isValues,
    extra: listOf(tupleOf(isText, isExtraValue)),
    tags: isNames,
    likes: isNames,
    labels: isNames,
    identities: isNames,
    consents: listOf(tupleOf(isText, tupleOf(isTextOrNull, oneOf(...consentStates), isTextOrNull))),
    erased: listOf(oneOf(...clearableAreas)),
    untags: isNames,
    untagsAt: isNames,
    retags: isNames,
  } satisfies Record<keyof RegisterGroup, IsPart>),
);

const isGroup = (value: unknown): value is RegisterGroup => {
  if (!isRecord(value) || !('tier' in value && 'stamp' in value && 'origin' in value)) return false;
  for (const name in value) if (partsOfGroup.get(name)?.(value[name]) !== true) return false;
  return true;
};

/** Schema of encoded registers: groups of registers with one tier, stamp and origin. */
export const registerGroups = v.custom<readonly RegisterGroup[]>(
  (value) => Array.isArray(value) && value.every(isGroup),
);
const storedState = v.pipe(
  v.custom<StoredState>(isStoredState),
  v.transform(encodedStateIn),
  v.parseJson(),
  registerGroups,
);
const storedSlot = v.union([
  v.object({
    w: v.string(),
    state: storedState,
    /** Releases before this attribute stored none. */
    created: v.exactOptional(v.number()),
    updated_at: v.number(),
    trace: v.exactOptional(v.string()),
    phones: v.exactOptional(v.array(v.string())),
    pointers: v.exactOptional(v.array(v.string())),
  }),
  v.object({ redirect: v.number() }),
  tombstone,
]);

/** The item at an ordinal as it is stored, in one of its forms. */
export const parseSlot = (item: StoredItem): v.InferOutput<typeof storedSlot> => v.parse(storedSlot, item);

/** Parses the item at an ordinal; undefined means that there is none. */
export const parseEntry = (item: StoredItem | undefined): OrdinalEntry => {
  if (!item) return { kind: 'empty' };
  const stored = parseSlot(item);
  if ('redirect' in stored) return { kind: 'redirect', to: stored.redirect };
  if ('forgotten' in stored) return tombstoneOf(stored);
  const state = stateOf(registersIn(stored.state));
  const { w, trace } = stored;
  const bytes = isStoredState(item['state']) ? Buffer.byteLength(item['state']) : 0;
  return { kind: 'profile', state, ...timesIn(stored), w, trace, pointers: listedIn(stored), bytes };
};

/** The times in a profile item. */
export const timesIn = (item: { readonly created?: number; readonly updated_at: number }): StoredTimes => ({
  created: item.created ?? null,
  updatedAt: item.updated_at,
});

/** The times of a profile once it is written at `now` over what is stored. */
export const timesAt = (now: number, stored: OrdinalEntry): StoredTimes => ({
  created: stored.kind === 'profile' ? stored.created : now,
  updatedAt: now,
});

/** Attributes of a new profile, besides those of every write. No later write changes them. */
export const newProfileItem = (created: number, trace: string | undefined): Attributes => ({
  created,
  ...(trace !== undefined && { trace }),
});

/** A list of pointers to be stored, and the list that is stored. */
export interface PointerLists {
  readonly list: readonly string[];
  readonly listed: readonly string[];
}

/** Attributes of a profile item. Without another list of pointers, the stored list stays. */
export const profileItem = (state: StoredState, updatedAt: number, pointers?: PointerLists): Attributes => ({
  state,
  updated_at: updatedAt,
  ...(pointers && pointersItem(pointers)),
});

/** Pointers from phone numbers are stored as 0.2.0 reads them: in an attribute of their own, without this. */
const OF_PHONES = 'phone:';

/** Attributes of a profile item for its list of pointers. */
export const pointersItem = ({ list, listed }: PointerLists): Attributes => {
  const phones = list.filter(isOfPhone).map((one) => one.slice(OF_PHONES.length));
  const others = list.filter((one) => !isOfPhone(one));
  return {
    ...((phones.length > 0 || listed.some(isOfPhone)) && { phones }),
    ...((others.length > 0 || !listed.every(isOfPhone)) && { pointers: others }),
  };
};

const isOfPhone = (pointer: string): boolean => pointer.startsWith(OF_PHONES);

const noPointers: readonly string[] = [];

const listedIn = ({ phones = noPointers, pointers = noPointers }: Lists): readonly string[] =>
  phones.length === 0 ? pointers : [...phones.map((hash) => `${OF_PHONES}${hash}`), ...pointers];

interface Lists {
  readonly phones?: readonly string[];
  readonly pointers?: readonly string[];
}

/** Attributes of an item that closes a provisional ordinal in favour of another ordinal. */
export const redirectItem = (to: number): Attributes => ({ redirect: to });

const setAreas = ['tag', 'like', 'label', 'identity', 'erased', 'untag', 'untagAt', 'retag'] as const;

/** The list of a group for each area. Registers of these areas store only their names. */
const listNames = {
  tag: 'tags',
  like: 'likes',
  label: 'labels',
  identity: 'identities',
  erased: 'erased',
  untag: 'untags',
  untagAt: 'untagsAt',
  retag: 'retags',
} as const satisfies Record<(typeof setAreas)[number], keyof RegisterGroup>;

/** The registers of encoded groups. */
export const registersIn = (groups: readonly RegisterGroup[]): readonly LwwRegister[] =>
  groups.flatMap(registersOf);

const registersOf = (stored: RegisterGroup): readonly LwwRegister[] => {
  const { tier, stamp, origin } = stored;
  const registers: LwwRegister[] = [];
  const add = (area: Area, name: string, value: ExtraValue | null): void => {
    registers.push({ area, tier, name, value, stamp, origin });
  };
  for (const [name, value] of Object.entries(stored.values ?? {})) add('value', name, value);
  for (const [name, value] of stored.extra ?? []) add('extra', name, value);
  for (const [channel, said] of stored.consents ?? []) add('consent', channel, said);
  for (const area of setAreas) for (const name of stored[listNames[area]] ?? []) add(area, name, true);
  return registers;
};

/** Encodes a state as text; equal states give equal texts. */
export const encodeState = (state: State): string =>
  JSON.stringify(
    groupsOf([...state.keys()].sort().flatMap((key) => state.get(key) ?? []))
      .toSorted(([one], [other]) => Number(one > other) - Number(one < other))
      .map(([, encoded]) => encoded),
  );

/** Encodes registers, several of which may have one key. */
export const encodeRegisters = (registers: Iterable<LwwRegister>): readonly RegisterGroup[] =>
  groupsOf(registers).map(([, encoded]) => encoded);

const groupsOf = (registers: Iterable<LwwRegister>): (readonly [name: string, group: RegisterGroup])[] => {
  const groups = new Map<string, RegisterGroup>();
  // Most states come from one record. In the others, neighbours share a group.
  let draft: RegisterGroup | undefined;
  for (const register of registers) {
    if (!draft || !isOfGroup(draft, register)) draft = groupOf(groups, register);
    addTo(draft, register);
  }
  return [...groups];
};

const isOfGroup = (draft: RegisterGroup, { tier, stamp, origin }: LwwRegister): boolean =>
  draft.tier === tier && draft.stamp === stamp && draft.origin === origin;

const groupOf = (groups: Map<string, RegisterGroup>, { tier, stamp, origin }: LwwRegister): RegisterGroup => {
  const name = `${tier} ${stamp} ${origin}`;
  const draft = groups.get(name) ?? { tier, stamp, origin };
  groups.set(name, draft);
  return draft;
};

const addTo = (draft: RegisterGroup, { area, name, value }: LwwRegister): void => {
  if (area === 'value') (draft.values ??= {})[name] = value;
  else if (area === 'extra') (draft.extra ??= []).push([name, value]);
  else if (area === 'consent') (draft.consents ??= []).push([name, value]);
  else (draft[listNames[area]] ??= []).push(name);
};
