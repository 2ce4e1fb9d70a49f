import { identityKinds, keys } from '../table/keys.ts';
import type { Attributes, Table, Write } from '../table/table.ts';
import type { Ordinals } from '../profiles/ordinals.ts';
import type { Person } from './person.ts';
import type { ClaimStep, Plan } from './plan.ts';
import { encodeState, profileItem, redirectItem } from '../profiles/stored.ts';

/** A write with the person whose records start over when it is refused. */
interface Step {
  readonly write: Write;
  readonly person: Person;
}

/** Gives every new person of a plan its ordinal. */
export const numberPersons = async (ordinals: Ordinals, property: number, plan: Plan): Promise<void> => {
  const unnumbered = [...plan.persons].filter(({ ordinal }) => ordinal === undefined);
  const fresh = await ordinals.take(property, unnumbered.length);
  unnumbered.forEach((person, position) => {
    const ordinal = fresh[position];
    person.ordinal = ordinal;
    if (person.changed && ordinal !== undefined)
      person.changed = { ...person.changed, after: { ...person.changed.after, ordinal } };
  });
};

/**
 * Closes the provisional ordinals of a plan and touches the profiles that lose a claim, then makes and moves its claims,
 * strongest kind first and one kind at a time (all at once would leave claims that point at nobody). A person whose step
 * is refused is marked as failed.
 */
export const makeClaims = async (table: Table, property: number, plan: Plan): Promise<void> => {
  await attempt(
    table,
    plan.closings.map(({ ordinal, person }) => ({
      person,
      write: { kind: 'insert', key: keys.profile(property, ordinal), set: redirectItem(numberOf(person)) },
    })),
  );
  await touchProfiles(table, property, plan);
  for (const kind of identityKinds) {
    const steps = plan.claims.filter((step) => step.kind === kind && !step.person.failed);
    await attempt(table, steps.map(claimStep));
  }
};

/** Writes profiles as they are, on condition that they are: for the new nonce. */
const touchProfiles = async (table: Table, property: number, { touched }: Plan): Promise<void> => {
  const touches = [...touched].flatMap(([{ ordinal, slot }, takers]) => {
    if (ordinal === undefined || slot.kind !== 'profile') return [];
    const key = keys.profile(property, ordinal);
    const set = profileItem(encodeState(slot.state), slot.updatedAt);
    return [{ takers, write: { kind: 'update', key, set, expect: { w: slot.w } } as const }];
  });
  if (touches.length === 0) return;
  const outcomes = await table.writeMany(touches.map(({ write }) => write));
  touches.forEach(({ takers }, position) => {
    if (outcomes[position] !== 'applied') for (const person of takers) person.failed = true;
  });
};

/** Writes the changed profiles of these persons, each on condition that it is as it was read. */
export const writeProfiles = async (
  table: Table,
  property: number,
  persons: readonly Person[],
  now: number,
): Promise<void> => {
  await attempt(
    table,
    persons.flatMap((person) => profileStep(property, person, now)),
  );
};

const attempt = async (table: Table, steps: readonly Step[]): Promise<void> => {
  if (steps.length === 0) return;
  const outcomes = await table.writeMany(steps.map(({ write }) => write));
  steps.forEach(({ person }, position) => {
    if (outcomes[position] !== 'applied') person.failed = true;
  });
};

const claimStep = ({ key, seen, forgotten, person }: ClaimStep): Step => {
  const ordinal = numberOf(person);
  // A claim with an owner does not expire.
  const set = forgotten === undefined ? { ordinal } : { ordinal, forgotten, ttl: null };
  const write: Write = seen
    ? { kind: 'update', key, set, expect: { w: seen.w } }
    : { kind: 'insert', key, set };
  return { person, write };
};

const profileStep = (property: number, person: Person, now: number): readonly Step[] => {
  if (!person.changed) return [];
  const key = keys.profile(property, numberOf(person));
  const set = profileItem(person.changed.encoded, now);
  const { slot } = person;
  const write: Write =
    slot.kind === 'vacant'
      ? { kind: 'insert', key, set: { ...set, ...traceOf(person) } }
      : { kind: 'update', key, set, expect: { w: slot.w } };
  return [{ person, write }];
};

const traceOf = ({ trace }: Person): Attributes => (trace === undefined ? {} : { trace });

const numberOf = ({ ordinal }: Person): number => {
  if (ordinal === undefined) throw new Error('profiles: a person was not numbered');
  return ordinal;
};
