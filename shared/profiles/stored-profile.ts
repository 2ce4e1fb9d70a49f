/** Stored profile: encodes the state of a profile as an item and parses the item at an ordinal. */
import * as v from 'valibot';
import type { Attributes, StoredItem } from '../table/table.ts';
import { consentStates } from './consent.ts';
import { clearableAreas, stateOf, type Area, type LwwRegister, type State } from './profile-state.ts';
import { isStamp } from '../runtime/hybrid-timestamp.ts';
import { tombstone, tombstoneOf, type Tombstone } from './tombstone.ts';
import { tiers, type ExtraValue, type Tier } from './types.ts';

/**
 * The content of an ordinal. `vacant`: no item yet, though a claim may point here (a provisional ordinal).
 * `redirect`: the profile is at `to`. `forgotten`: a permanent tombstone; claims that still point here are
 * free.
 */
export type OrdinalEntry =
  | {
      readonly kind: 'profile';
      readonly state: State;
      readonly updatedAt: number;
      readonly w: string;
      /** Trace of the creating record, if it had one. */
      readonly trace: string | undefined;
    }
  | { readonly kind: 'redirect'; readonly to: number }
  | Tombstone
  | { readonly kind: 'empty' };

/**
 * Registers of one record share tier, stamp and origin. A profile is stored as groups of such registers; most
 * profiles have one group. The groups are JSON text in one attribute: DynamoDB's numbers hold neither 1e-200
 * nor more than 38 digits, and text is several times as fast to write and read as nested attributes.
 */
const scalar = v.union([v.string(), v.number(), v.boolean(), v.null()]);
const extraValue = v.union([v.string(), v.number(), v.boolean(), v.null(), v.array(scalar)]);
const names = v.optional(v.array(v.string()), []);
/** The time, the state and the source of a statement of consent. */
const statement = v.strictTuple([v.nullable(v.string()), v.picklist(consentStates), v.nullable(v.string())]);
const group = v.strictObject({
  tier: v.picklist(Object.values(tiers)),
  stamp: v.pipe(v.string(), v.check(isStamp)),
  origin: v.string(),
  values: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.null()])), {}),
  extra: v.optional(v.array(v.strictTuple([v.string(), extraValue])), []),
  tags: names,
  likes: names,
  labels: names,
  identities: names,
  consents: v.optional(v.array(v.strictTuple([v.string(), statement])), []),
  erased: v.optional(v.array(v.picklist(clearableAreas)), []),
  untags: names,
  untagsAt: names,
  retags: names,
});
/** Schema of encoded registers: groups of registers with one tier, stamp and origin. */
export const registerGroups = v.array(group);
const storedState = v.pipe(v.string(), v.parseJson(), registerGroups);
const storedSlot = v.union([
  v.object({
    w: v.string(),
    state: storedState,
    updated_at: v.number(),
    trace: v.exactOptional(v.string()),
  }),
  v.object({ redirect: v.number() }),
  tombstone,
]);

type Group = v.InferOutput<typeof group>;

/** Parses the item at an ordinal; undefined means that there is none. */
export const parseEntry = (item: StoredItem | undefined): OrdinalEntry => {
  if (!item) return { kind: 'empty' };
  const stored = v.parse(storedSlot, item);
  if ('redirect' in stored) return { kind: 'redirect', to: stored.redirect };
  if ('forgotten' in stored) return tombstoneOf(stored);
  const state = stateOf(registersIn(stored.state));
  return { kind: 'profile', state, updatedAt: stored.updated_at, w: stored.w, trace: stored.trace };
};

/** Attributes of a profile item. */
export const profileItem = (encoded: string, updatedAt: number): Attributes => ({
  state: encoded,
  updated_at: updatedAt,
});

/** Attributes of an item that closes a provisional ordinal in favour of another ordinal. */
export const redirectItem = (to: number): Attributes => ({ redirect: to });

const setAreas = ['tag', 'like', 'label', 'identity', 'erased', 'untag', 'untagAt', 'retag'] as const;

/** The list of a group for each area. Registers of these areas store only their names. */
const listOf = {
  tag: 'tags',
  like: 'likes',
  label: 'labels',
  identity: 'identities',
  erased: 'erased',
  untag: 'untags',
  untagAt: 'untagsAt',
  retag: 'retags',
} as const satisfies Record<(typeof setAreas)[number], keyof Group>;

/** The registers of encoded groups. */
export const registersIn = (groups: readonly Group[]): readonly LwwRegister[] => groups.flatMap(registersOf);

const registersOf = (stored: Group): readonly LwwRegister[] => {
  const { tier, stamp, origin } = stored;
  const registers: LwwRegister[] = [];
  const add = (area: Area, name: string, value: ExtraValue | null): void => {
    registers.push({ area, tier, name, value, stamp, origin });
  };
  for (const [name, value] of Object.entries(stored.values)) add('value', name, value);
  for (const [name, value] of stored.extra) add('extra', name, value);
  for (const [channel, said] of stored.consents) add('consent', channel, said);
  for (const area of setAreas) for (const name of stored[listOf[area]]) add(area, name, true);
  return registers;
};

/** A group of registers, to be written as JSON. Empty lists are left out. */
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
  consents?: [string, ExtraValue | null][];
  erased?: string[];
  untags?: string[];
  untagsAt?: string[];
  retags?: string[];
}

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
  else (draft[listOf[area]] ??= []).push(name);
};
