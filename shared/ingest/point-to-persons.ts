/** Phone pointers of the persons of a batch: written before their profiles, and settled when a profile was not written. */
import { contributionOf } from '../profiles/contribution.ts';
import {
  phoneHashOf,
  pointersFrom,
  writePhonePointers,
  type LeftPointer,
} from '../profiles/phone-pointers.ts';
import { emptyState } from '../profiles/profile-state.ts';
import type { PropertyScope } from '../properties/scope.ts';
import type { Table } from '../table/table.ts';
import type { Person } from './batch-person.ts';
import type { WritePlan } from './write-plan.ts';

/** Writes the pointers to these persons, and gives each the list that must be stored with its profile. */
export const pointToPersons = async (
  table: Pick<Table, 'writeMany'>,
  scope: PropertyScope,
  persons: readonly Person[],
): Promise<void> => {
  const profiles = persons.flatMap(({ ordinal, entry, state }) => {
    if (ordinal === undefined) return [];
    const isStored = entry.kind === 'profile';
    const [before, listed] = isStored ? [entry.state, entry.phones] : [emptyState, []];
    return [{ ordinal, before, after: state, listed }];
  });
  const lists = await writePhonePointers(table, scope, profiles);
  for (const person of persons) if (person.ordinal !== undefined) person.phones = lists.get(person.ordinal);
};

/** The pointers of persons whose profiles were not written. */
export const leftBehind = (persons: readonly Person[]): readonly LeftPointer[] =>
  persons.flatMap(({ ordinal, phones }) => {
    const hash = phones?.at(-1);
    return hash === undefined || ordinal === undefined ? [] : [{ ordinal, hash }];
  });

/**
 * The pointers that an attempt that died may have left: from numbers that are hidden by now, and from numbers of people who
 * are forgotten by now.
 */
export const leftEarlier = async (
  table: Pick<Table, 'query'>,
  scope: PropertyScope,
  { decisions, forgotten }: Pick<WritePlan, 'decisions' | 'forgotten'>,
): Promise<readonly LeftPointer[]> => {
  const hidden = decisions.flatMap(({ person: { ordinal, entry, phones }, contribution, refusal }) => {
    const hash = phoneHashOf(scope, contribution);
    const listed = phones ?? (entry.kind === 'profile' ? entry.phones : []);
    if (refusal || ordinal === undefined || hash === undefined || listed.includes(hash)) return [];
    return [{ ordinal, hash }];
  });
  const hashes = forgotten.flatMap(
    ({ record }) => phoneHashOf(scope, contributionOf(record, [], record.stamp)) ?? [],
  );
  const pointers = await Promise.all(hashes.map((hash) => pointersFrom(table, scope, hash)));
  return [...hidden, ...pointers.flat()];
};
