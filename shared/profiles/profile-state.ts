/**
 * Profile state: a state-based CRDT (conflict-free replicated data type) of last-writer-wins registers, which
 * makes merges order-independent.
 */
import type { IdentityKind } from '../table/keys.ts';
import { limits } from '../config/limits.ts';
import { consentOrder, isWithdrawn, statementName, type Use } from './consent.ts';
import { tiers, type ExtraValue, type Tier } from './types.ts';
import type { HybridTimestamp } from '../runtime/hybrid-timestamp.ts';

/** The origin of values that a client sends in a call of its own, about one person. */
export const directOrigin = 'api';

const imported = /^(import:\d+):(\d+)$/;

/** The origin of values from a job of an import definition. At most 40 characters. */
export const importOrigin = (definition: number, job: number): string => `import:${definition}:${job}`;

/** The import job of an origin; `undefined` for values from elsewhere. */
export const jobOfOrigin = (origin: string): number | undefined => {
  const job = imported.exec(origin)?.[2];
  return job === undefined ? undefined : Number(job);
};

/** The source of an origin, without the job, as the API shows it: `api`, `enricher:<name>` or `import:<definition>`. */
export const sourceOfOrigin = (origin: string): string => imported.exec(origin)?.[1] ?? origin;

/**
 * The kind of a register: a scalar attribute, a key of `extra_data`, an element of a set (tag, like, source
 * label), an identity, a channel of consent, or a removal. `erased`: the time before which a set or all of `extra_data`
 * was cleared. `untag`: the time before which a tag was removed, whatever its datetime. `untagAt`: the same for the tag
 * with one datetime. `retag`: the time before which the tags of a source were replaced.
 */
export type Area = 'value' | 'extra' | 'tag' | 'like' | 'label' | 'identity' | 'consent' | Removal;
type Removal = (typeof removals)[number];

const removals = ['erased', 'untag', 'untagAt', 'retag'] as const;

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
  /** Source of the value: `api`, an import job, an enricher. */
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
 * The key of a register in a state. Each source has registers of its own for its tags, so that it can replace them. Each
 * statement of consent has a register of its own.
 */
export const registerKey = (register: Omit<LwwRegister, 'stamp'>): string => {
  const { area, tier, name, origin, value } = register;
  if (area === 'tag') return `tag:${tier}:${sourceOfOrigin(origin)}:${name}`;
  return area === 'consent' ? `${statementsKey(register)}:${statementName(value)}` : keyOf(area, tier, name);
};

/**
 * Begins the keys of the statements of one source about one channel that say the same in one tier. A state keeps the latest
 * of them only. So no statement hides that of another source, and no `given` hides a `withdrawn`.
 */
const statementsKey = ({ tier, name, origin, value }: Omit<LwwRegister, 'stamp'>): string =>
  `consent:${tier}:${sourceOfOrigin(origin)}:${name}:${isWithdrawn(value) ? 'withdrawn' : 'given'}`;

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
  return withoutHidden(state);
};

/** Merges two states. Returns `left` itself when `right` adds nothing. */
export const mergeStates = (left: State, right: State): State => {
  if (right.size === 0) return left;
  if (left.size === 0) return right;
  const joined = new Map(left);
  const added: LwwRegister[] = [];
  for (const register of right.values()) if (put(joined, register)) added.push(register);
  const merged = withoutHidden(joined);
  return added.some((register) => merged.get(registerKey(register)) === register) ? merged : left;
};

/** Whether a state has no identity: it is what the undo of an import left of a person. */
export const isNobody = (state: State): boolean => {
  for (const { area } of state.values()) if (area === 'identity') return false;
  return true;
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
 * enricher has the smallest origin, because its answer has the timestamp of the record that it was asked about.
 */
const isLarger = (one: LwwRegister, other: LwwRegister): boolean => {
  if (one.stamp !== other.stamp) return one.stamp > other.stamp;
  const [value, rival] = [JSON.stringify(one.value), JSON.stringify(other.value)];
  if (value !== rival) return value > rival;
  const [answered, repeated] = [isEnricher(one.origin), isEnricher(other.origin)];
  if (answered !== repeated) return repeated;
  return one.origin === other.origin ? one.tier < other.tier : one.origin > other.origin;
};

/**
 * The statement of consent that counts on each channel, by channel: the latest. A withdrawal counts whoever reports it. A
 * consent without stated trust does not count while the latest stated statement is a withdrawal.
 */
export const consentIn = (state: State): ReadonlyMap<string, LwwRegister> => {
  const stated = new Map<string, LwwRegister>();
  const latest = new Map<string, LwwRegister>();
  for (const register of state.values())
    if (register.area === 'consent' && register.tier === tiers.stated) keepLater(stated, register);
  for (const register of state.values()) {
    if (register.area !== 'consent') continue;
    const own = stated.get(register.name);
    const isOverruled = register.tier !== tiers.stated && own && isWithdrawn(own.value);
    if (!isOverruled || isWithdrawn(register.value)) keepLater(latest, register);
  }
  return latest;
};

/** The statement that restricts a use of a person's data; undefined when none does. */
export const restrictionIn = (state: State, use: Use): LwwRegister | undefined => {
  for (const { area, name } of state.values()) {
    if (area !== 'consent' || name !== use) continue;
    const said = consentIn(state).get(use);
    return said && isWithdrawn(said.value) ? said : undefined;
  }
  return undefined;
};

const keepLater = (found: Map<string, LwwRegister>, register: LwwRegister): void => {
  const rival = found.get(register.name);
  if (!rival || isSaidLater(register, rival)) found.set(register.name, register);
};

/** Of two statements that were said at the same time, the larger register counts. */
const isSaidLater = (one: LwwRegister, other: LwwRegister): boolean => {
  const [said, before] = [consentOrder(one.value), consentOrder(other.value)];
  return said === before ? isLarger(one, other) : said > before;
};

const ENRICHER = 'enricher:';

/** The origin of values from an enricher of this name. */
export const enricherOrigin = (name: string): string => `${ENRICHER}${name}`;

/** The name of the enricher of an origin; `undefined` for values from elsewhere. */
export const enricherOfOrigin = (origin: string): string | undefined =>
  isEnricher(origin) ? origin.slice(ENRICHER.length) : undefined;

const isEnricher = (origin: string): boolean => origin.startsWith(ENRICHER);

/**
 * The registers of a state that together keep another register out of it: a larger one with the same key, a later clearing
 * of its area, or the later statements that leave no room for a statement. None when the state has the register itself,
 * or would take it. Without one of them, the state would take it.
 */
export const dominatorsOf = (state: State, register: LwwRegister): readonly LwwRegister[] => {
  const present = state.get(registerKey(register));
  if (present === register) return [];
  if (present && isLarger(present, register)) return [present];
  const eraser = eraserOf(state, register);
  return eraser ? [eraser] : laterStatements(state, register);
};

/** The statements that leave no room for a statement. */
const laterStatements = (state: State, register: LwwRegister): readonly LwwRegister[] => {
  if (register.area !== 'consent') return [];
  const [own, name] = [statementsKey(register), statementName(register.value)];
  const later = [...state.values()].filter(
    (one) => one.area === 'consent' && statementsKey(one) === own && statementName(one.value) > name,
  );
  return later.length < limits.profiles.consentStatements ? [] : later;
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

const hidingAreas: ReadonlySet<Area> = new Set([...removals, 'consent']);

/** Whether a state has registers that may hide others with another key. Most have none. */
const mayHide = (state: State): boolean => {
  for (const { area } of state.values()) if (hidingAreas.has(area)) return true;
  return false;
};

/** Removes what later removals and later statements hide. */
const withoutHidden = (state: Map<string, LwwRegister>): State => {
  if (!mayHide(state)) return state;
  const statements = new Map<string, LwwRegister[]>();
  for (const [key, register] of state) {
    if (isErased(state, register)) state.delete(key);
    if (register.area !== 'consent') continue;
    const own = statementsKey(register);
    statements.set(own, [...(statements.get(own) ?? []), register]);
  }
  for (const own of statements.values()) {
    const surplus = own.length - limits.profiles.consentStatements;
    if (surplus <= 0) continue;
    for (const { key } of own
      .map((register) => ({ key: registerKey(register), name: statementName(register.value) }))
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .slice(0, surplus))
      state.delete(key);
  }
  return state;
};
