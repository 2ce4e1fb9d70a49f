/** Provenance: explains the source of every value of a profile, for lookups with `explain`. */
import { isoTime } from '../runtime/clock.ts';
import type { Provenance } from './provenance-schema.ts';
import { stampTime } from '../runtime/hybrid-timestamp.ts';
import { consentOf, shownStatement, SPECIAL_CATEGORIES } from './consent.ts';
import {
  clearableAreas,
  consentIn,
  type Area,
  type LwwRegister,
  type State,
  jobOfOrigin,
  sourceOfOrigin,
} from './profile-state.ts';
import { identitiesOf, tagOf } from './resolve-profile.ts';
import { scalarFields } from './fields.ts';
import { tierNames, type ExtraValue } from './types.ts';

/** The sets of a profile and its extra data, by their names in the API. */
const setNames = {
  extra: 'extra_data',
  tag: 'tags',
  like: 'social_likes',
  label: 'sources',
} as const satisfies Record<(typeof clearableAreas)[number], string>;

/**
 * Lists every stored value with its tier, source and timestamp: most trusted first, then newest. Fields and
 * keys without a stored value are left out; a cleared value is `null`.
 */
export const provenanceOf = (state: State): Provenance => {
  const registers = [...state.values()].sort((a, b) => byTrust(a, b) || descending(b.name, a.name));
  const of = (...areas: readonly Area[]): readonly LwwRegister[] =>
    registers.filter(({ area }) => areas.includes(area));
  return {
    fields: fieldsOf([...of('value').map(valueOf), ...identityValues(state)]),
    extra_data: extraOf(of('extra').map(valueOf)),
    tags: of('tag').map((register) => ({ ...tagOf(register.name), ...markOf(register) })),
    removed_tags: of('untag', 'untagAt').map((register) => ({
      ...removedTagOf(register),
      ...markOf(register),
    })),
    replaced_tags: of('retag').map(markOf),
    social_likes: of('like').map((register) => ({ id: register.name, ...markOf(register) })),
    sources: of('label').map((register) => ({ label: register.name, ...markOf(register) })),
    consent: consentValues(state, of('consent')),
    erased: of('erased').flatMap((register) =>
      clearableAreas
        .filter((area) => area === register.name)
        .map((area) => ({ what: setNames[area], ...markOf(register) })),
    ),
  };
};

const removedTagOf = ({
  area,
  name,
}: LwwRegister): { readonly tag: string; readonly datetime: string | null } =>
  area === 'untagAt' ? tagOf(name) : { tag: name, datetime: null };

/** A value under its name in the API. */
interface Stored {
  readonly name: string;
  readonly value: ExtraValue | null;
  readonly register: LwwRegister;
}

const valueOf = (register: LwwRegister): Stored => ({ name: register.name, value: register.value, register });

/**
 * Every identity that the profile ever claimed, as a value of its field. Of two equally new identities the one
 * that lookups return comes first.
 */
const identityValues = (state: State): readonly Stored[] =>
  identitiesOf(state)
    .map(({ kind, value, register }) => ({ name: kind, value, register }))
    .sort((a, b) => byTrust(a.register, b.register) || descending(a.value, b.value));

const fieldsOf = (stored: readonly Stored[]): Provenance['fields'] => {
  const byName = Map.groupBy(stored, ({ name }) => name);
  return Object.fromEntries(
    scalarFields.flatMap((name) => {
      const values = byName.get(name);
      return values ? [[name, proven(values)]] : [];
    }),
  );
};

const extraOf = (stored: readonly Stored[]): Provenance['extra_data'] => {
  const pairs = [...Map.groupBy(stored, ({ name }) => name)].sort(([a], [b]) => descending(b, a));
  // fromEntries defines own properties, so a key named __proto__ is an ordinary key.
  return Object.fromEntries(pairs.map(([key, values]) => [key, proven(values)]));
};

/** The statements of each channel, the statement that counts first. The person said nothing about special categories. */
const consentValues = (state: State, registers: readonly LwwRegister[]): Provenance['consent'] => {
  const winners = consentIn(state);
  return registers
    .filter(({ name }) => name !== SPECIAL_CATEGORIES)
    .map((register) => {
      const { source: label, ...said } = consentOf(register);
      return {
        ...shownStatement(said),
        label,
        ...markOf(register),
        won: winners.get(register.name) === register,
      };
    })
    .sort(
      (a, b) =>
        descending(b.channel, a.channel) ||
        Number(b.won) - Number(a.won) ||
        descending(a.datetime ?? '', b.datetime ?? '') ||
        descending(b.source, a.source),
    );
};

type Proven = Provenance['fields'][string];

/** Marks the winner: the first value in order that was not cleared. */
const proven = (stored: readonly Stored[]): Proven => {
  const winner = stored.find(({ value }) => value !== null);
  return stored.map((one) => ({ value: one.value, ...markOf(one.register), won: one === winner }));
};

const markOf = ({
  tier,
  origin,
  stamp,
}: LwwRegister): Pick<Proven[number], 'tier' | 'source' | 'job' | 'stamp'> => ({
  tier: tierNames[tier],
  source: sourceOfOrigin(origin),
  job: jobOfOrigin(origin) ?? null,
  stamp: isoTime(stampTime(stamp)),
});

type Marked = Pick<LwwRegister, 'tier' | 'stamp'>;
const byTrust = (one: Marked, other: Marked): number =>
  one.tier - other.tier || descending(one.stamp, other.stamp);

const descending = (one: string, other: string): number => Number(one < other) - Number(one > other);
