/**
 * Plan commit: allocates the ordinals of new persons, sends the conditional writes of a `WritePlan`, and marks persons
 * whose writes met a conflict. `applyRound` calls `numberPersons`, `prepareClaims`, `commitClaims` and `writeProfiles` in
 * this order, and releases claims in between. It opens the journal beside the claims.
 */
import { identityKinds, keys } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';
import type { Person } from './batch-person.ts';
import type { ClaimStep, WritePlan, Decision } from './write-plan.ts';
import { newProfileItem, profileItem, redirectItem, type OrdinalEntry } from '../profiles/stored-profile.ts';
import { storedStateOf } from '../profiles/stored-state.ts';
import { contributionOf, type AcceptedRecord } from '../profiles/contribution.ts';
import { namePointerOf, phonePointerOf } from '../profiles/pointer-keys.ts';
import { endPointers, preparePointers, type LeftPointer, type PointedProfile } from '../profiles/pointers.ts';
import { pointersLike } from '../profiles/read-pointers.ts';
import { emptyState } from '../profiles/profile-state.ts';
import type { PropertyScope } from '../properties/scope.ts';
import type { Ordinals } from './ordinals.ts';
import { mapLimited } from '../runtime/pool.ts';

/** A write with its person. When the table refuses the write, the person's records start over. */
interface Step {
  readonly write: Write;
  readonly person: Person;
}

/** Assigns an ordinal to every new person of a plan. */
export const numberPersons = async (ordinals: Ordinals, property: number, plan: WritePlan): Promise<void> => {
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
 * Closes the provisional ordinals of a plan and touches the profiles that lose a claim. Marks a person as failed when one
 * of its writes is refused.
 */
export const prepareClaims = async (table: Table, property: number, plan: WritePlan): Promise<void> => {
  await attempt(
    table,
    plan.closings.map(({ ordinal, person }) => ({
      person,
      write: { kind: 'insert', key: keys.profile(property, ordinal), set: redirectItem(numberOf(person)) },
    })),
  );
  await touchProfiles(table, property, plan);
};

/**
 * Makes and moves the claims of a plan, strongest kind first and one kind at a time: all kinds at once would leave claims
 * that point at nobody. Marks a person as failed when one of its writes is refused.
 */
export const commitClaims = async (table: Table, plan: WritePlan): Promise<void> => {
  for (const kind of identityKinds) {
    const steps = plan.claims.filter((step) => step.kind === kind && !step.person.failed);
    await attempt(table, steps.map(claimStep));
  }
};

/** Leaves the profile at an ordinal as it was read, and gives it a new nonce: whoever read it earlier is refused. */
export const touching = (
  property: number,
  ordinal: number,
  { updatedAt, w }: Extract<OrdinalEntry, { kind: 'profile' }>,
): Write => ({
  kind: 'update',
  key: keys.profile(property, ordinal),
  set: { updated_at: updatedAt },
  expect: { w },
});

/** Touches the stored profiles that lose a claim. */
const touchProfiles = async (table: Table, property: number, { touched }: WritePlan): Promise<void> => {
  const touches = [...touched].flatMap(([{ ordinal, entry }, takers]) => {
    if (ordinal === undefined || entry.kind !== 'profile') return [];
    return [{ takers, write: touching(property, ordinal, entry) }];
  });
  if (touches.length === 0) return;
  const outcomes = await table.writeMany(touches.map(({ write }) => write));
  touches.forEach(({ takers }, position) => {
    if (outcomes[position] !== 'applied') for (const person of takers) person.failed = true;
  });
};

/** Where profiles are stored, and from how many bytes on their states are deflated: `Infinity` for never. */
export interface StoreDeps {
  readonly table: Table;
  readonly deflateFrom: number;
}

/** Writes the changed profiles of these persons, each on condition that nobody changed it since the snapshot. */
export const writeProfiles = async (
  { table, deflateFrom }: StoreDeps,
  property: number,
  persons: readonly Person[],
  now: number,
): Promise<void> => {
  await attempt(
    table,
    persons.flatMap((person) => profileStep(property, person, { now, deflateFrom })),
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
  const set = { ordinal, ...(forgotten !== undefined && { forgotten }), ...(seen && { ttl: null }) };
  const write: Write = seen
    ? { kind: 'update', key, set, expect: { w: seen.w } }
    : { kind: 'insert', key, set };
  return { person, write };
};

const profileStep = (
  property: number,
  person: Person,
  { now, deflateFrom }: Pick<StoreDeps, 'deflateFrom'> & { readonly now: number },
): readonly Step[] => {
  if (!person.changed) return [];
  const key = keys.profile(property, numberOf(person));
  const set = profileItem(storedStateOf(person.changed.encoded, deflateFrom), now, person.pointed?.lists);
  const { entry } = person;
  const write: Write =
    entry.kind === 'empty'
      ? { kind: 'insert', key, set: { ...set, ...newProfileItem(now, person.trace) } }
      : { kind: 'update', key, set, expect: { w: entry.w } };
  return [{ person, write }];
};

const numberOf = ({ ordinal }: Person): number => {
  if (ordinal === undefined) throw new Error('profiles: a person was not numbered');
  return ordinal;
};

/** Stores the pointers to these persons, and tells each what the write of its profile must do with them. */
export const pointToPersons = async (
  table: Pick<Table, 'getMany' | 'writeMany'>,
  scope: PropertyScope,
  persons: readonly Person[],
): Promise<void> => {
  const profiles = persons.flatMap(({ ordinal, entry, state }) =>
    ordinal === undefined ? [] : [{ ordinal, ...listsOf(entry), after: state }],
  );
  const pointed = await preparePointers(table, scope, profiles);
  for (const person of persons)
    if (person.ordinal !== undefined) person.pointed = pointed.get(person.ordinal);
};

const listsOf = (entry: OrdinalEntry): Pick<PointedProfile, 'before' | 'listed'> =>
  entry.kind === 'profile'
    ? { before: entry.state, listed: entry.pointers }
    : { before: emptyState, listed: [] };

/** Removes the pointers that ended with the writes of these persons' profiles. */
export const endPointersTo = (table: Pick<Table, 'writeMany'>, persons: readonly Person[]): Promise<void> =>
  endPointers(
    table,
    persons.filter(({ failed }) => !failed).map(({ pointed }) => pointed),
  );

/** The pointers of persons whose profiles were not written. */
export const leftBehind = (persons: readonly Person[]): readonly LeftPointer[] =>
  persons.flatMap(({ ordinal, pointed }) =>
    ordinal === undefined ? [] : (pointed?.fresh ?? []).map((pointer) => ({ ordinal, pointer })),
  );

/** Queries of a repeated batch at once. */
const QUERIES_AT_ONCE = 16;

/**
 * The pointers that a dead attempt at these records may have left: to people whose number is hidden by now, and to those who
 * have lost the identities of a record since, to an undo, a forgetting or a stronger record. The record then went to
 * somebody else, or to nobody. `stored` are the decisions that were carried out now.
 */
export const leftEarlier = async (
  table: Pick<Table, 'query'>,
  scope: PropertyScope,
  records: readonly AcceptedRecord[],
  stored: readonly Decision[],
): Promise<readonly LeftPointer[]> => {
  const nameOf = ({ ordinal, pointer }: LeftPointer): string => `${ordinal} ${pointer}`;
  const listed = new Set<string>();
  const own: LeftPointer[] = [];
  for (const { person, contribution } of stored) {
    const { ordinal, entry, pointed } = person;
    if (ordinal === undefined) continue;
    const before = entry.kind === 'profile' ? entry.pointers : [];
    for (const pointer of pointed?.lists?.list ?? before) listed.add(nameOf({ ordinal, pointer }));
    for (const pointer of [phonePointerOf(scope, contribution), namePointerOf(scope, contribution)])
      if (pointer !== undefined) own.push({ ordinal, pointer });
  }
  // Very many people may have one name, so nobody looks for its pointers to others.
  const phones = new Set(
    records.flatMap((record) => phonePointerOf(scope, contributionOf(record, [], record.stamp)) ?? []),
  );
  const found = await mapLimited([...phones], QUERIES_AT_ONCE, (one) => pointersLike(table, scope, one));
  return [...own, ...found.flat()].filter((pointer) => !listed.has(nameOf(pointer)));
};
