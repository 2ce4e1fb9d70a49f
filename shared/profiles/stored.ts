import * as v from 'valibot';
import type { Attributes, StoredItem } from '../table/table.ts';
import { erasable, stateOf, type Area, type Register, type State } from './state.ts';
import { isStamp } from './stamp.ts';
import { tombstone, tombstoneOf, type Tombstone } from './tombstone.ts';
import { tiers, type ExtraValue, type Tier } from './types.ts';

/**
 * What stands at an ordinal. `vacant`: nothing yet, though a claim may point here. `redirect`: the person is at `to`.
 * `forgotten`: the tombstone of a person, for ever; claims that still point here are free.
 */
export type Slot =
  | {
      readonly kind: 'profile';
      readonly state: State;
      readonly updatedAt: number;
      readonly w: string;
      /** Of the record that created it, if that had one. */
      readonly trace: string | undefined;
    }
  | { readonly kind: 'redirect'; readonly to: number }
  | Tombstone
  | { readonly kind: 'vacant' };

/**
 * Registers given by one record have tier, stamp and origin in common; a profile is stored as such groups, most of them
 * one. As JSON text in one attribute, because DynamoDB's numbers hold neither 1e-200 nor more than 38 digits, and because
 * a text is written and read several times as fast as nested attributes.
 */
const scalar = v.union([v.string(), v.number(), v.boolean(), v.null()]);
const extraValue = v.union([v.string(), v.number(), v.boolean(), v.null(), v.array(scalar)]);
const names = v.optional(v.array(v.string()), []);
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
  erased: v.optional(v.array(v.picklist(erasable)), []),
});
const storedState = v.pipe(v.string(), v.parseJson(), v.array(group));
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

/** What an item (or none) at an ordinal says. */
export const slotOf = (item: StoredItem | undefined): Slot => {
  if (!item) return { kind: 'vacant' };
  const stored = v.parse(storedSlot, item);
  if ('redirect' in stored) return { kind: 'redirect', to: stored.redirect };
  if ('forgotten' in stored) return tombstoneOf(stored);
  const state = stateOf(stored.state.flatMap(registersOf));
  return { kind: 'profile', state, updatedAt: stored.updated_at, w: stored.w, trace: stored.trace };
};

/** Attributes of a profile item. */
export const profileItem = (encoded: string, updatedAt: number): Attributes => ({
  state: encoded,
  updated_at: updatedAt,
});

/** Attributes of an item that closes a provisional ordinal in favour of another. */
export const redirectItem = (to: number): Attributes => ({ redirect: to });

const setAreas = ['tag', 'like', 'label', 'identity', 'erased'] as const;
/** The lists of a group by the area they hold; of their members only the names are kept. */
const listOf = {
  tag: 'tags',
  like: 'likes',
  label: 'labels',
  identity: 'identities',
  erased: 'erased',
} as const satisfies Record<(typeof setAreas)[number], keyof Group>;

const registersOf = (stored: Group): readonly Register[] => {
  const { tier, stamp, origin } = stored;
  const registers: Register[] = [];
  const add = (area: Area, name: string, value: ExtraValue | null): void => {
    registers.push({ area, tier, name, value, stamp, origin });
  };
  for (const [name, value] of Object.entries(stored.values)) add('value', name, value);
  for (const [name, value] of stored.extra) add('extra', name, value);
  for (const area of setAreas) for (const name of stored[listOf[area]]) add(area, name, true);
  return registers;
};

/** A group under construction; what it has none of is left out of the text. */
interface Draft {
  readonly tier: Tier;
  readonly stamp: string;
  readonly origin: string;
  values?: Record<string, ExtraValue | null>;
  extra?: [string, ExtraValue | null][];
  tags?: string[];
  likes?: string[];
  labels?: string[];
  identities?: string[];
  erased?: string[];
}

/** A state as text; equal states give equal texts. */
export const encodeState = (state: State): string => {
  const groups = new Map<string, Draft>();
  // Most states come from one record, and neighbours in the others.
  let draft: Draft | undefined;
  for (const key of [...state.keys()].sort()) {
    const register = state.get(key);
    if (!register) continue;
    if (!draft || !isOfGroup(draft, register)) draft = groupOf(groups, register);
    addTo(draft, register);
  }
  const names = [...groups.keys()].sort();
  return JSON.stringify(names.map((name) => groups.get(name)));
};

const isOfGroup = (draft: Draft, { tier, stamp, origin }: Register): boolean =>
  draft.tier === tier && draft.stamp === stamp && draft.origin === origin;

const groupOf = (groups: Map<string, Draft>, { tier, stamp, origin }: Register): Draft => {
  const name = `${tier} ${stamp} ${origin}`;
  const draft = groups.get(name) ?? { tier, stamp, origin };
  groups.set(name, draft);
  return draft;
};

const addTo = (draft: Draft, { area, name, value }: Register): void => {
  if (area === 'value') (draft.values ??= {})[name] = value;
  else if (area === 'extra') (draft.extra ??= []).push([name, value]);
  else (draft[listOf[area]] ??= []).push(name);
};
