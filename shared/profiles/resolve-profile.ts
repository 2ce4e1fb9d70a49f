/**
 * Value resolution: computes the visible values of a profile from its merge state by trust tier and time, and checks them
 * against the limits of a profile.
 */
import { isDeepStrictEqual } from 'node:util';
import { nullsOf, resolvedFields, type ResolvedField } from './fields.ts';
import { identityKinds } from '../table/keys.ts';
import { consentOf, EVERY_USE, isChannel, SPECIAL_CATEGORIES, type Consent } from './consent.ts';
import {
  consentIn,
  DATETIME_LENGTH,
  identityName,
  keyOf,
  restrictionIn,
  type LwwRegister,
  type State,
} from './profile-state.ts';
import {
  tiers,
  type ExtraValue,
  type Identity,
  type ResolvedProfile,
  type StoredTimes,
  type Tag,
  type RecordRefusal,
} from './types.ts';
import { restrictionsIn, saidAt } from './restriction.ts';
import { limits } from '../config/limits.ts';
import type { RegisterGroup } from './stored-profile.ts';

const noFields = nullsOf(resolvedFields);

const isField = (name: string): name is ResolvedField => Object.hasOwn(noFields, name);

/**
 * Resolves the values of a profile. An attribute or `extra_data` key takes the value of the most trusted tier
 * that has one; each kind of identity and each channel of consent takes the newest; sets unite all tiers, sorted.
 */
export const resolveProfile = (
  state: State,
  ordinal: number,
  { created, updatedAt }: StoredTimes,
): ResolvedProfile => {
  const sets = { tag: new Set<string>(), like: new Set<string>(), label: new Set<string>() };
  const values = new Map<string, LwwRegister>();
  const extra = new Map<string, LwwRegister>();
  let hasConsent = false;
  for (const register of state.values()) {
    const { area } = register;
    if (area === 'value') keepTrusted(values, register);
    else if (area === 'extra') keepTrusted(extra, register);
    else if (area === 'tag' || area === 'like' || area === 'label') sets[area].add(register.name);
    else if (area === 'consent') hasConsent = true;
  }
  const fields: Record<ResolvedField, string | null> = { ...noFields };
  for (const { name, value } of values.values()) if (isField(name)) fields[name] = textOf(value);
  const identities = identitiesOf(state);
  const current = newestOf(identities);
  for (const { kind, value } of current) fields[kind] = value;
  const age = values.get('age')?.value;
  return {
    ordinal,
    fields,
    country: textOf(values.get('country')?.value),
    age: typeof age === 'number' ? age : null,
    sources: [...sets.label].sort(),
    tags: [...sets.tag].sort().map(tagOf),
    likes: [...sets.like].sort(),
    // Most profiles have no consent, and very many profiles are resolved.
    ...(hasConsent ? consentsOf(state) : noConsent),
    usedSince: hasConsent ? Math.max(updatedAt, ...restrictionsIn(state).map(saidAt)) : updatedAt,
    extra: extraOf(extra),
    // Most profiles have one identity of each kind.
    former: current.length === identities.length ? noFormer : formerOf(identities, fields),
    created,
    updatedAt,
  };
};

/**
 * Resolves the values of a profile whose registers are one group, as most are: no register can hide another, so this
 * equals `resolveProfile` without a state in between. `undefined` for a group with statements of consent.
 */
export const resolveGroup = (
  { values = {}, extra, labels, tags, likes, identities, consents }: RegisterGroup,
  ordinal: number,
  { created, updatedAt }: StoredTimes,
): ResolvedProfile | undefined => {
  if (consents) return undefined;
  const fields: Record<ResolvedField, string | null> = { ...noFields };
  for (const name of Object.keys(values)) if (isField(name)) fields[name] = textOf(values[name]);
  const former = identities ? identify(identities, fields) : noFormer;
  const age = Object.hasOwn(values, 'age') ? values['age'] : null;
  return {
    ordinal,
    fields,
    country: Object.hasOwn(values, 'country') ? textOf(values['country']) : null,
    age: typeof age === 'number' ? age : null,
    // Most profiles lack some of these, and an empty list that all share takes no time.
    sources: labels ? inOrder(labels) : noNames,
    tags: tags ? inOrder(tags).map(tagOf) : noTags,
    likes: likes ? inOrder(likes) : noNames,
    // One by one: to spread them takes as long as all else.
    consent: noConsent.consent,
    restricted: noConsent.restricted,
    withoutSpecial: noConsent.withoutSpecial,
    usedSince: updatedAt,
    extra: extra ? extraIn(extra) : noExtra,
    former,
    created,
    updatedAt,
  };
};

const noNames: readonly string[] = [];
const noTags: readonly Tag[] = [];
const noExtra: ResolvedProfile['extra'] = {};

const extraIn = (stored: NonNullable<RegisterGroup['extra']>): ResolvedProfile['extra'] => {
  const known: [string, ExtraValue][] = [];
  for (const [name, value] of stored) if (value !== null) known.push([name, value]);
  return sortedExtra(known);
};

const prefixes = identityKinds.map((kind) => ({ kind, prefix: `${kind}:` }));

/** Fills in the newest identity of each kind, and returns the others. Of several, the one with the larger name counts. */
const identify = (
  names: readonly string[],
  fields: Record<ResolvedField, string | null>,
): readonly Identity[] => {
  const all: Identity[] = [];
  let shown = 0;
  for (const name of inOrder(names)) {
    for (const { kind, prefix } of prefixes) {
      if (!name.startsWith(prefix)) continue;
      const value = name.slice(prefix.length);
      if (fields[kind] === null) shown += 1;
      fields[kind] = value;
      all.push({ kind, value });
      break;
    }
  }
  return shown === all.length ? noFormer : formerOf(all, fields);
};

/** Names sorted by code unit. They are stored sorted, and to sort them once more would take a copy. */
const inOrder = (names: readonly string[]): readonly string[] => {
  let last = '';
  for (const name of names) {
    if (name < last) return names.toSorted();
    last = name;
  }
  return names;
};

/**
 * Whether two states show the same identities and the same consent. Of these a profile shows the newest of several
 * registers; every other value competes with registers of its own key only.
 */
export const showSameWinners = (one: State, other: State): boolean =>
  isDeepStrictEqual(winnersIn(one), winnersIn(other));

const winnersIn = (state: State): unknown => [
  newestOf(identitiesOf(state))
    .map(({ kind, value }) => identityName(kind, value))
    .sort(),
  [...consentIn(state).values()].map(consentOf).sort(byChannel),
];

/** Every identity that a profile ever had, unordered. Lookups find the profile by each of them. */
export const identitiesOf = (state: State): readonly (Identity & { readonly register: LwwRegister })[] => {
  const found: (Identity & { register: LwwRegister })[] = [];
  for (const register of state.values()) {
    if (register.area !== 'identity') continue;
    for (const kind of identityKinds) {
      if (register.name.startsWith(`${kind}:`))
        found.push({ kind, value: register.name.slice(kind.length + 1), register });
    }
  }
  return found;
};

const noFormer: readonly Identity[] = [];

/** The identities that a profile does not show, sorted. */
const formerOf = (
  identities: readonly Identity[],
  fields: Readonly<Record<ResolvedField, string | null>>,
): readonly Identity[] =>
  identities
    .filter(({ kind, value }) => fields[kind] !== value)
    .map(({ kind, value }) => ({ kind, value }))
    .sort((a, b) => (identityName(a.kind, a.value) < identityName(b.kind, b.value) ? -1 : 1));

/** The newest identity of each kind. */
const newestOf = (identities: ReturnType<typeof identitiesOf>): readonly Identity[] => {
  const newest = new Map<string, Identity & { readonly register: LwwRegister }>();
  for (const one of identities) {
    const rival = newest.get(one.kind);
    if (!rival || isNewer(one.register, rival.register)) newest.set(one.kind, one);
  }
  return [...newest.values()];
};

/** Whether a profile has, or once had, this identity. */
export const holdsIdentity = (state: State, { kind, value }: Identity): boolean =>
  state.has(keyOf('identity', tiers.stated, identityName(kind, value)));

const isNewer = (one: LwwRegister, other: LwwRegister): boolean =>
  one.stamp === other.stamp ? one.name > other.name : one.stamp > other.stamp;

const keepTrusted = (best: Map<string, LwwRegister>, register: LwwRegister): void => {
  if (register.value === null) return;
  const rival = best.get(register.name);
  if (!rival || register.tier < rival.tier) best.set(register.name, register);
};

const textOf = (value: ExtraValue | null | undefined): string | null =>
  typeof value === 'string' ? value : null;

/** The tag that a register of this name holds. */
export const tagOf = (name: string): Tag => ({
  tag: name.slice(DATETIME_LENGTH),
  datetime: name.slice(0, DATETIME_LENGTH),
});

type ShownConsent = Pick<ResolvedProfile, 'consent' | 'restricted' | 'withoutSpecial'>;

const noConsent: ShownConsent = { consent: [], restricted: false, withoutSpecial: false };

/** The consent of a person. Who objects to every use has withdrawn it on every channel. */
const consentsOf = (state: State): ShownConsent => {
  const objection = restrictionIn(state, EVERY_USE);
  const every = objection && consentOf(objection);
  const consent = [...consentIn(state).values()]
    .map(consentOf)
    .filter(({ channel }) => isChannel(channel))
    .map((said) => (every && said.state === 'given' ? { ...every, channel: said.channel } : said))
    .sort(byChannel);
  const withoutSpecial = restrictionIn(state, SPECIAL_CATEGORIES) !== undefined;
  return { consent, restricted: every !== undefined, withoutSpecial };
};

const byChannel = (one: Consent, other: Consent): number => (one.channel < other.channel ? -1 : 1);

const extraOf = (registers: ReadonlyMap<string, LwwRegister>): Readonly<Record<string, ExtraValue>> => {
  const pairs: [string, ExtraValue][] = [];
  for (const { name, value } of registers.values()) if (value !== null) pairs.push([name, value]);
  return sortedExtra(pairs);
};

const sortedExtra = (pairs: [string, ExtraValue][]): Readonly<Record<string, ExtraValue>> =>
  // fromEntries defines own properties, so a key named __proto__ is an ordinary key.
  Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));

const tooMany = (field: string | null, what: string, most: number): RecordRefusal => ({
  field,
  code: 'too_many',
  message: `The profile would have more than ${most} ${what}.`,
});

/** A profile as a merge would leave it: its resolved values, its state, and the encoded state. */
interface Merged {
  readonly profile: ResolvedProfile;
  readonly state: State;
  readonly encoded: string;
}

/** The number of removals of single tags, which stay so that a late record does not bring the tag back. */
const removedTags = (state: State): number => {
  let count = 0;
  for (const { area } of state.values()) count += Number(area === 'untag' || area === 'untagAt');
  return count;
};

/** Room for the statements that restrict a use: there are ten at most, each of some 100 bytes. */
const restrictionBytes = (state: State): number =>
  1_500 * new Set(restrictionsIn(state).map(({ name }) => name)).size;

/** The refusal when a profile would exceed a limit after a merge; otherwise undefined. */
export const overLimit = ({ profile, state, encoded }: Merged): RecordRefusal | undefined => {
  const { tags, likes, extraDataKeys, identities, itemBytes } = limits.profiles;
  if (identitiesOf(state).length > identities) return tooMany(null, 'identities', identities);
  if (profile.tags.length > tags) return tooMany('tags', 'tags', tags);
  if (removedTags(state) > limits.profiles.removedTags)
    return tooMany('remove_tags', 'removed tags', limits.profiles.removedTags);
  if (profile.likes.length > likes) return tooMany('social_likes', 'likes', likes);
  if (profile.consent.length > limits.profiles.consentChannels)
    return tooMany('consent', 'channels of consent', limits.profiles.consentChannels);
  if (Object.keys(profile.extra).length > extraDataKeys)
    return tooMany('extra_data', 'keys of extra data', extraDataKeys);
  // No restriction fails for want of room, so what it added does not count.
  const bytes = Buffer.byteLength(encoded);
  if (bytes <= itemBytes || bytes <= itemBytes + restrictionBytes(state)) return undefined;
  return {
    field: null,
    code: 'profile_too_large',
    message: `The profile would be larger than ${itemBytes} bytes.`,
  };
};
