import { isoTime } from '../runtime/clock.ts';
import type { Provenance } from './schemas.ts';
import { stampTime } from './stamp.ts';
import { erasable, type Area, type Register, type State } from './state.ts';
import { identitiesOf, tagOf } from './surface.ts';
import { returnedFields, tierNames, type ExtraValue } from './types.ts';

/** Names of what is returned or exported as a field, in the order of the contract. */
const fieldNames = [...returnedFields, 'country', 'age'];

/** The sets of a profile and its extra data, by the names they have here. */
const setNames = {
  extra: 'extra_data',
  tag: 'tags',
  like: 'social_likes',
  label: 'sources',
} as const satisfies Record<(typeof erasable)[number], string>;

/**
 * Where everything in a profile came from: every stored value with its tier, source and stamp, the most trusted first,
 * then the newest. Fields and keys that nothing is stored of are left out; an erased value is `null`.
 */
export const provenanceOf = (state: State): Provenance => {
  const registers = [...state.values()].sort((a, b) => byTrust(a, b) || descending(b.name, a.name));
  const of = (area: Area): readonly Register[] => registers.filter((register) => register.area === area);
  return {
    fields: fieldsOf([...of('value').map(valueOf), ...identityValues(state)]),
    extra_data: extraOf(of('extra').map(valueOf)),
    tags: of('tag').map((register) => ({ ...tagOf(register.name), ...markOf(register) })),
    social_likes: of('like').map((register) => ({ id: register.name, ...markOf(register) })),
    sources: of('label').map((register) => ({ label: register.name, ...markOf(register) })),
    erased: of('erased').flatMap((register) =>
      erasable
        .filter((area) => area === register.name)
        .map((area) => ({ what: setNames[area], ...markOf(register) })),
    ),
  };
};

/** A value under the name it is shown by. */
interface Stored {
  readonly name: string;
  readonly value: ExtraValue | null;
  readonly register: Register;
}

const valueOf = (register: Register): Stored => ({ name: register.name, value: register.value, register });

/** Every identity ever claimed, as a value of its field; of two that are as new the one that surfaces comes first. */
const identityValues = (state: State): readonly Stored[] =>
  identitiesOf(state)
    .map(({ kind, value, register }) => ({ name: kind, value, register }))
    .sort((a, b) => byTrust(a.register, b.register) || descending(a.value, b.value));

const fieldsOf = (stored: readonly Stored[]): Provenance['fields'] => {
  const byName = Map.groupBy(stored, ({ name }) => name);
  return Object.fromEntries(
    fieldNames.flatMap((name) => {
      const values = byName.get(name);
      return values ? [[name, proven(values)]] : [];
    }),
  );
};

const extraOf = (stored: readonly Stored[]): Provenance['extra_data'] => {
  const pairs = [...Map.groupBy(stored, ({ name }) => name)].sort(([a], [b]) => descending(b, a));
  // fromEntries defines own properties, so that a key named __proto__ is a key like any other.
  return Object.fromEntries(pairs.map(([key, values]) => [key, proven(values)]));
};

type Proven = Provenance['fields'][string];

/** Values in their order: the first that was not erased is the one that surfaces. */
const proven = (stored: readonly Stored[]): Proven => {
  const winner = stored.find(({ value }) => value !== null);
  return stored.map((one) => ({ value: one.value, ...markOf(one.register), won: one === winner }));
};

const markOf = ({ tier, origin, stamp }: Register): Pick<Proven[number], 'tier' | 'source' | 'stamp'> => ({
  tier: tierNames[tier],
  source: origin,
  stamp: isoTime(stampTime(stamp)),
});

type Marked = Pick<Register, 'tier' | 'stamp'>;
const byTrust = (one: Marked, other: Marked): number =>
  one.tier - other.tier || descending(one.stamp, other.stamp);

const descending = (one: string, other: string): number => (one === other ? 0 : one > other ? -1 : 1);
