/** Phone pointers of the persons of a batch: written before their profiles, and settled when a profile was not written. */
import { contributionOf, type AcceptedRecord } from '../profiles/contribution.ts';
import {
  phoneHashOf,
  pointersFrom,
  writePhonePointers,
  type LeftPointer,
} from '../profiles/phone-pointers.ts';
import { emptyState } from '../profiles/profile-state.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { mapLimited } from '../runtime/pool.ts';
import type { Table } from '../table/table.ts';
import type { Person } from './batch-person.ts';
import type { Decision } from './write-plan.ts';

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
  const nameOf = ({ ordinal, hash }: LeftPointer): string => `${ordinal} ${hash}`;
  const listed = new Set<string>();
  const own: LeftPointer[] = [];
  for (const { person, contribution } of stored) {
    const { ordinal, entry, phones = entry.kind === 'profile' ? entry.phones : [] } = person;
    if (ordinal === undefined) continue;
    for (const hash of phones) listed.add(nameOf({ ordinal, hash }));
    const hash = phoneHashOf(scope, contribution);
    if (hash !== undefined) own.push({ ordinal, hash });
  }
  const hashes = new Set(
    records.flatMap((record) => phoneHashOf(scope, contributionOf(record, [], record.stamp)) ?? []),
  );
  const found = await mapLimited([...hashes], QUERIES_AT_ONCE, (hash) => pointersFrom(table, scope, hash));
  return [...own, ...found.flat()].filter((pointer) => !listed.has(nameOf(pointer)));
};
