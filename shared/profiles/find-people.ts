/**
 * Search by name: finds the people who show a last name now, in a town, in the order in which they were stored. It reads
 * pointers, which are hints, and then the profiles that they lead to. Both are bounded, and the answer says so when it may
 * lack somebody.
 */
import { limits } from '../config/limits.ts';
import type { UseCase } from '../http/api-types.ts';
import { problems } from '../http/problem.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { err, ok } from '../runtime/result.ts';
import { allOf } from '../runtime/shortened.ts';
import { nameShard, NAME_SHARDS } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { isNamedLike, isLike, isOfTown, searchOfName, type NameRange } from './name-places.ts';
import { profileViews, type ReadProfiles } from './profile-repository.ts';
import type { PeopleQuery } from './schemas.ts';
import type { ResolvedProfile } from './types.ts';

export interface FindPeopleDeps {
  readonly table: Pick<Table, 'query'>;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly readProfiles: ReadProfiles;
}

/**
 * Finds people by the beginning of their last name, of their first name, and of their town. 409 where the property does not
 * search by name.
 */
export const findPeople: UseCase<FindPeopleDeps, PeopleQuery> = async (deps, { property, query }) => {
  const scope = await deps.scopeOf(property.id);
  if (!scope.rules.searchNames) return err(namesOff(property.id));
  const { ordinals, isAll } = await pointersTo(deps.table, scope, query);
  const { people, isWhole } = await shownAt(deps.readProfiles, scope, ordinals, query);
  const shown = people.slice(0, MOST_PEOPLE);
  const isBounded = !isAll || !isWhole || people.length > MOST_PEOPLE;
  const profiles = profileViews(shown, scope);
  const body = {
    profiles,
    complete: !isBounded && scope.rules.allNames,
    advice: adviceOn(query, isBounded, scope.rules.allNames),
  };
  const uuids = profiles.flatMap(({ profile_uuid }) => profile_uuid ?? []);
  return ok({ status: 200, audited: { profile_uuids: uuids }, body });
};

const MOST_PEOPLE = limits.names.people;

const namesOff = (property: number) =>
  problems.conflict(
    'names_off',
    `Property ${property} does not search by name. The operator switches it on: property set --property ${property} --search-names on.`,
  );

/** What a person can do to see the people whom an answer may lack; null when it lacks nobody. */
const adviceOn = (query: PeopleQuery, isBounded: boolean, isReady: boolean): string | null => {
  if (isBounded) return `More people match than one answer shows. Add ${allOf(addable(query), 'or')}.`;
  if (isReady) return null;
  return 'Who was stored before the search by name was switched on may not be found yet. Ask again in an hour.';
};

/** What makes a search narrower. */
const addable = ({ first_name, city }: PeopleQuery): readonly string[] => {
  const missing = [
    ...(first_name === undefined ? ['the first name'] : []),
    ...(city === undefined ? ['the town'] : []),
  ];
  return [...missing, missing.length > 0 ? 'more of the name' : 'more of the names or of the town'];
};

/** A pointer that a search has found. */
interface Found {
  readonly ordinals: readonly number[];
  /** Whether these are all. */
  readonly isAll: boolean;
}

/** The ordinals to which the pointers of a name lead, ascending. */
const pointersTo = async (
  table: FindPeopleDeps['table'],
  scope: PropertyScope,
  { last_name: name, city }: PeopleQuery,
): Promise<Found> => {
  const search = searchOfName(scope, name, city);
  if (!search) return { ordinals: [], isAll: true };
  const shards = Array.from({ length: NAME_SHARDS }, (_, shard) => nameShard(scope.id, search.head, shard));
  const pages = await Promise.all(
    search.ranges.flatMap((range) => shards.map((pk) => readShard(table, pk, range))),
  );
  const ordinals = new Set(pages.flatMap((page) => page.ordinals));
  return { ordinals: [...ordinals].sort((a, b) => a - b), isAll: pages.every(({ isAll }) => isAll) };
};

const readShard = async (table: FindPeopleDeps['table'], pk: string, range: NameRange): Promise<Found> => {
  const { from, to } = range;
  const { items, next } = await table.query(pk, { from, to, limit: limits.names.pointersPerShard });
  const sorts = items.map(({ sk }) => sk).filter((sk) => isOfTown(sk, range));
  return { ordinals: sorts.map((sk) => Number(sk.slice(-16))), isAll: next === undefined };
};

/** Those at these ordinals who show the name and the town: one more than an answer shows, if there are so many. */
const shownAt = async (
  readProfiles: ReadProfiles,
  scope: PropertyScope,
  ordinals: readonly number[],
  { last_name: name, first_name: first, city }: PeopleQuery,
): Promise<{ readonly people: readonly ShownPerson[]; readonly isWhole: boolean }> => {
  const { profilesRead, profilesReadByFirstName } = limits.names;
  const looked = ordinals.slice(0, first === undefined ? profilesRead : profilesReadByFirstName);
  const people: ShownPerson[] = [];
  for await (const profile of readProfiles(scope.id, looked)) {
    const { ordinal, fields } = profile;
    const isMeant = isLike(fields.city, city) && isLike(fields.first_name, first);
    if (!isMeant || !hasIdentity(profile) || !isNamedLike(fields.last_name, name)) continue;
    people.push({ ordinal, fields });
    if (people.length > MOST_PEOPLE) return { people, isWhole: false };
  }
  return { people, isWhole: looked.length === ordinals.length };
};

/** A person without the tags and other data that a search does not show. */
type ShownPerson = Pick<ResolvedProfile, 'ordinal' | 'fields'>;

/** An undo may leave a profile without an identity, which is nobody. */
const hasIdentity = ({ fields }: ResolvedProfile): boolean =>
  fields.unique_id !== null || fields.email !== null || fields.social_id !== null;
