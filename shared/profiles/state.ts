import type { IdentityKind } from '../table/keys.ts';
import type { ExtraValue, Stamp, Tier } from './types.ts';

/**
 * What a register is of: a scalar attribute, a key of `extra_data`, an element of a set (tag, like, source label), an
 * identity, or the moment before which a set or all of `extra_data` was erased.
 */
export type Area = 'value' | 'extra' | 'tag' | 'like' | 'label' | 'identity' | 'erased';

/** The erasable areas, by the name under which `erased` registers stand. */
export const erasable = ['extra', 'tag', 'like', 'label'] as const;

/** One last-writer-wins cell of a profile. Elements of sets and identities are there or not: their value is `true`. */
export interface Register {
  readonly area: Area;
  readonly tier: Tier;
  /** Attribute, key or element; see `tagName` and `identityName` for those made of two parts. */
  readonly name: string;
  /** `null`: erased. */
  readonly value: ExtraValue | null;
  readonly stamp: Stamp;
  /** Where the value came from: `api`, an import job, an enricher. */
  readonly origin: string;
}

/**
 * The merge state of a profile: registers by `registerKey`. Two states join by taking the larger register of each key, so
 * joining is commutative, associative and idempotent: records may come twice and in any order.
 */
export type State = ReadonlyMap<string, Register>;

/** The state of a profile nothing is known of. */
export const emptyState: State = new Map();

/** Where a register stands in a state. */
export const registerKey = ({ area, tier, name }: Pick<Register, 'area' | 'tier' | 'name'>): string =>
  `${area}:${tier}:${name}`;

/** Length of `YYYY-MM-DD HH:MM:SS`. */
export const DATETIME_LENGTH = 19;

/** The register name of a tag: its moment, then its text. */
export const tagName = (datetime: string, tag: string): string => `${datetime}${tag}`;

/** The register name of an identity. */
export const identityName = (kind: IdentityKind, value: string): string => `${kind}:${value}`;

/** A state of these registers; of two with one key the larger stays. */
export const stateOf = (registers: Iterable<Register>): State => {
  const state = new Map<string, Register>();
  for (const register of registers) put(state, register);
  return withoutErased(state);
};

/** The join of two states: `left` itself when `right` adds nothing. */
export const join = (left: State, right: State): State => {
  if (right.size === 0) return left;
  if (left.size === 0) return right;
  const joined = new Map(left);
  let changed = false;
  for (const register of right.values())
    changed = (put(joined, register) && !isErased(joined, register)) || changed;
  return changed ? withoutErased(joined) : left;
};

/** The newest stamp of a state; undefined when it is empty. */
export const newestStamp = (state: State): Stamp | undefined => {
  let newest: Stamp | undefined;
  for (const { stamp } of state.values()) if (newest === undefined || stamp > newest) newest = stamp;
  return newest;
};

const put = (state: Map<string, Register>, register: Register): boolean => {
  const key = registerKey(register);
  const present = state.get(key);
  if (present && !isLarger(register, present)) return false;
  state.set(key, register);
  return true;
};

/**
 * The newer register is the larger; one stamp given to two values is settled by the values, then by their origins, of
 * which an enricher's is the smallest: its answer repeats the identities of the record that it was asked about.
 */
const isLarger = (one: Register, other: Register): boolean => {
  if (one.stamp !== other.stamp) return one.stamp > other.stamp;
  const [value, rival] = [JSON.stringify(one.value), JSON.stringify(other.value)];
  if (value !== rival) return value > rival;
  const [answered, repeated] = [isEnricher(one.origin), isEnricher(other.origin)];
  return answered === repeated ? one.origin > other.origin : repeated;
};

const ENRICHER = 'enricher:';

/** The origin of what an enricher of this name answers. */
export const enricherOrigin = (name: string): string => `${ENRICHER}${name}`;

const isEnricher = (origin: string): boolean => origin.startsWith(ENRICHER);

/** Whether its area was erased, in its tier, after this register was given. */
const isErased = (state: State, { area, tier, stamp }: Register): boolean => {
  if (area === 'value' || area === 'identity' || area === 'erased') return false;
  const erased = state.get(registerKey({ area: 'erased', tier, name: area }));
  return erased !== undefined && stamp < erased.stamp;
};

const hasErased = (state: State): boolean => {
  for (const { area } of state.values()) if (area === 'erased') return true;
  return false;
};

const withoutErased = (state: Map<string, Register>): State => {
  if (!hasErased(state)) return state;
  for (const [key, register] of state) if (isErased(state, register)) state.delete(key);
  return state;
};
