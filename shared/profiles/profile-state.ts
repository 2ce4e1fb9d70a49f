/**
 * Profile state: a state-based CRDT (conflict-free replicated data type) of last-writer-wins registers, which
 * makes merges order-independent.
 */
import type { IdentityKind } from '../table/keys.ts';
import { consentOrder } from './consent.ts';
import { sourceOfOrigin } from './origin.ts';
import type { ExtraValue, Tier } from './types.ts';
import type { HybridTimestamp } from '../runtime/hybrid-timestamp.ts';

/**
 * The kind of a register: a scalar attribute, a key of `extra_data`, an element of a set (tag, like, source
 * label), an identity, a channel of consent, or a removal. `erased`: the time before which a set or all of `extra_data`
 * was cleared. `untag`: the time before which a tag was removed, whatever its datetime. `untagAt`: the same for the tag
 * with one datetime. `retag`: the time before which the tags of a source were replaced.
 */
export type Area = 'value' | 'extra' | 'tag' | 'like' | 'label' | 'identity' | 'consent' | Removal;
type Removal = (typeof removals)[number];

const removals = ['erased', 'untag', 'untagAt', 'retag'] as const;
const removalAreas: ReadonlySet<Area> = new Set(removals);

/** The areas that a record can clear as a whole; `cleared` registers are named after them. */
export const clearableAreas = ['extra', 'tag', 'like', 'label'] as const;

/** One last-writer-wins register of a profile. Set elements and identities have the value `true`. */
export interface LwwRegister {
  readonly area: Area;
  readonly tier: Tier;
  /** Attribute, key or element. `tagName` and `identityName` build the names that have two parts. */
  readonly name: string;
  /** `null`: cleared. */
  readonly value: ExtraValue | null;
  readonly stamp: HybridTimestamp;
  /** Source of the value (see `origin.ts`): `api`, an import job, an enricher. */
  readonly origin: string;
}

/**
 * The merge state of a profile: registers by `registerKey`. A merge keeps the larger register of each key.
 * Merging is therefore commutative, associative and idempotent: records may arrive twice and in any order.
 */
export type State = ReadonlyMap<string, LwwRegister>;

/** The state of an empty profile. */
export const emptyState: State = new Map();

/**
 * The key of a register in a state. Each source has registers of its own for its tags, so that it can replace them, and
 * for its statements of consent, so that the statement of a client never hides the statement of an import. Trust does
 * not separate statements of consent.
 */
export const registerKey = ({ area, tier, name, origin }: Omit<LwwRegister, 'value' | 'stamp'>): string => {
  if (area === 'tag') return `tag:${tier}:${sourceOfOrigin(origin)}:${name}`;
  return area === 'consent' ? `consent:${sourceOfOrigin(origin)}:${name}` : keyOf(area, tier, name);
};

/** The key of a register of any area but those that each source has for itself. */
export const keyOf = (area: Exclude<Area, 'tag' | 'consent'>, tier: Tier, name: string): string =>
  `${area}:${tier}:${name}`;

/** Length of `YYYY-MM-DD HH:MM:SS`. */
export const DATETIME_LENGTH = 19;

/** The register name of a tag: its time, then its text. */
export const tagName = (datetime: string, tag: string): string => `${datetime}${tag}`;

/** The register name of an identity. */
export const identityName = (kind: IdentityKind, value: string): string => `${kind}:${value}`;

/** Builds a state from registers; of two with the same key the larger stays. */
export const stateOf = (registers: Iterable<LwwRegister>): State => {
  const state = new Map<string, LwwRegister>();
  for (const register of registers) put(state, register);
  return withoutErased(state);
};

/** Merges two states. Returns `left` itself when `right` adds nothing. */
export const mergeStates = (left: State, right: State): State => {
  if (right.size === 0) return left;
  if (left.size === 0) return right;
  const joined = new Map(left);
  let changed = false;
  for (const register of right.values())
    changed = (put(joined, register) && !isErased(joined, register)) || changed;
  return changed ? withoutErased(joined) : left;
};

/** The newest timestamp of a state; undefined when the state is empty. */
export const newestStamp = (state: State): HybridTimestamp | undefined => {
  let newest: HybridTimestamp | undefined;
  for (const { stamp } of state.values()) if (newest === undefined || stamp > newest) newest = stamp;
  return newest;
};

const put = (state: Map<string, LwwRegister>, register: LwwRegister): boolean => {
  const key = registerKey(register);
  const present = state.get(key);
  if (present && !isLarger(register, present)) return false;
  state.set(key, register);
  return true;
};

/**
 * The newer register is larger. When two values have the same timestamp, the values decide, then their origins. An
 * enricher has the smallest origin, because its answer has the timestamp of the record that it was asked about. Of two
 * statements of consent the order of statements decides first, and more trust last.
 */
const isLarger = (one: LwwRegister, other: LwwRegister): boolean => {
  if (one.area === 'consent') {
    const [said, before] = [consentOrder(one.value), consentOrder(other.value)];
    if (said !== before) return said > before;
  }
  if (one.stamp !== other.stamp) return one.stamp > other.stamp;
  const [value, rival] = [JSON.stringify(one.value), JSON.stringify(other.value)];
  if (value !== rival) return value > rival;
  const [answered, repeated] = [isEnricher(one.origin), isEnricher(other.origin)];
  if (answered !== repeated) return repeated;
  return one.origin === other.origin ? one.tier < other.tier : one.origin > other.origin;
};

/** The statement of consent that counts on each channel: the largest of all sources, by channel. */
export const consentIn = (state: State): ReadonlyMap<string, LwwRegister> => {
  const newest = new Map<string, LwwRegister>();
  for (const register of state.values()) {
    if (register.area !== 'consent') continue;
    const rival = newest.get(register.name);
    if (!rival || isLarger(register, rival)) newest.set(register.name, register);
  }
  return newest;
};

const ENRICHER = 'enricher:';

/** The origin of values from an enricher of this name. */
export const enricherOrigin = (name: string): string => `${ENRICHER}${name}`;

const isEnricher = (origin: string): boolean => origin.startsWith(ENRICHER);

/**
 * The register of a state that keeps another register out of the state: a larger one with the same key, or a later
 * clearing of its area. `undefined` when the state has the register itself, or would take it.
 */
export const dominatorOf = (state: State, register: LwwRegister): LwwRegister | undefined => {
  const present = state.get(registerKey(register));
  if (present === register) return undefined;
  return present && isLarger(present, register) ? present : eraserOf(state, register);
};

/**
 * The register of a later record that removed this register, if any. A removal of tags that a later clearing of all tags
 * repeats is removed too: it has nothing left to do, and so removals do not pile up.
 */
const eraserOf = (state: State, register: LwwRegister): LwwRegister | undefined => {
  for (const key of removalsOf(register)) {
    const removal = state.get(key);
    if (removal && register.stamp < removal.stamp) return removal;
  }
  return undefined;
};

/** The keys of the registers that could remove a register, all in its tier. */
const removalsOf = ({ area, tier, name, origin }: LwwRegister): readonly string[] => {
  if (area === 'value' || area === 'identity' || area === 'consent' || area === 'erased') return [];
  if (area === 'untag' || area === 'retag') return [keyOf('erased', tier, 'tag')];
  const untagged = keyOf('untag', tier, name.slice(DATETIME_LENGTH));
  if (area === 'untagAt') return [keyOf('erased', tier, 'tag'), untagged];
  const cleared = keyOf('erased', tier, area);
  if (area !== 'tag') return [cleared];
  return [cleared, untagged, keyOf('untagAt', tier, name), keyOf('retag', tier, sourceOfOrigin(origin))];
};

const isErased = (state: State, register: LwwRegister): boolean => eraserOf(state, register) !== undefined;

const hasRemovals = (state: State): boolean => {
  for (const { area } of state.values()) if (removalAreas.has(area)) return true;
  return false;
};

const withoutErased = (state: Map<string, LwwRegister>): State => {
  if (!hasRemovals(state)) return state;
  for (const [key, register] of state) if (isErased(state, register)) state.delete(key);
  return state;
};
