import { noBrands, type Brands } from './brands.ts';
import type { BrandVersions, BrandVersionSource } from './brand-versions.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import { keys } from '../table/keys.ts';
import { belongsTo } from '../table/scoped-ids.ts';
import type { Clock } from '../runtime/clock.ts';
import type { StoredItem, Table } from '../table/table.ts';
import { inheritIds, isOfBrands, recordAliases } from './inherit-ids.ts';
import { findSegments, listSegments, type SegmentPage, type SegmentPlace } from './catalogue-lists.ts';
import { visibleSegments } from './custom-items.ts';
import { everyoneId, everyoneOf, fixedId, identityKey, isShown } from './identity.ts';
import { followSuccessors, membersOfCustomSegments, nameSegments } from './present.ts';
import { freeQuota, partOf, reserveConcurrently, releaseQuota, type QuotaDeps } from './segment-quota.ts';
import {
  claimedSegment,
  claimKey,
  claimOf,
  claimWrite,
  newSegmentIds,
  writeSegments,
} from './segment-items.ts';
import type { IndexedIdentity, Segment, SegmentIdentity } from './types.ts';

/** Segments that a process remembers, of all properties; about 15 MB. */
const CACHED = 50_000;

/** The segments of a property: which there are, and the id of each, stable for ever. */
export interface SegmentCatalogue {
  /**
   * Ids by `identityKey`, made where missing: of two that make one at once, both get the same. Once an id is given, its
   * segment can be read and found. Identities beyond the property's limit have no id.
   */
  idsOf(property: number, identities: readonly IndexedIdentity[]): Promise<ReadonlyMap<string, number>>;
  /** Ids by `identityKey` of those identities that are segments; makes none. */
  findIds(property: number, identities: readonly IndexedIdentity[]): Promise<ReadonlyMap<string, number>>;
  /** The segment of an id; undefined when it is unknown or another property's. */
  get(property: number, id: number): Promise<Segment | undefined>;
  /** Segments by id; unknown ones are absent. Brands are as `brands` has them, or as the version that holds now. */
  getMany(property: number, ids: readonly number[], brands?: Brands): Promise<ReadonlyMap<number, Segment>>;
  /** Current segments with exactly this name, ignoring case, in order of id. */
  find(property: number, name: string, place: SegmentPlace): Promise<SegmentPage>;
  /** All current segments in order of id. */
  list(property: number, place: SegmentPlace): Promise<SegmentPage>;
}

/** What the catalogue needs. `clock` decides which version of the brands holds. */
export interface CatalogueDeps extends QuotaDeps {
  readonly brands: BrandVersionSource;
  readonly clock: Clock;
}

/**
 * The catalogue on the table, with a memory of what it has seen: a stored segment never changes, except a custom one. What
 * brands are called is not stored with them.
 */
export const segmentCatalogue = ({ table, brands, clock, pause }: CatalogueDeps): SegmentCatalogue => {
  const known: Known = {
    ids: new BoundedMap(CACHED),
    segments: new BoundedMap(CACHED),
    brands: { times: undefined, segments: new BoundedMap(CACHED) },
  };
  const inForce = async (): Promise<Brands> => {
    const times = await brands();
    if (known.brands.times !== times) known.brands = { times, segments: new BoundedMap(CACHED) };
    return times.at(clock());
  };
  const present = (property: number, segments: readonly Segment[], version: Brands) =>
    nameSegments(segments, version, (wanted) => findKeys(table, known, property, wanted));
  const shown = async (
    property: number,
    segments: readonly Segment[],
    wanted?: Brands,
  ): Promise<readonly Segment[]> => {
    const version = wanted ?? (await inForce());
    const found = await present(property, segments, version);
    const named = membersOfCustomSegments(found);
    if (version === noBrands || named.length === 0) return found;
    const members = await present(
      property,
      [...(await readSegments(table, known, property, named)).values()],
      version,
    );
    return followSuccessors(found, members);
  };
  const getMany = async (property: number, ids: readonly number[], version?: Brands) => {
    await inForce();
    const stored = await readSegments(table, known, property, ids);
    const segments = await shown(property, [...stored.values()], version);
    return new Map(segments.map((segment) => [segment.id, segment]));
  };
  const read = async (property: number, items: readonly StoredItem[]) =>
    shown(property, await visibleSegments(table, property, items));
  const alsoNamed = async (property: number, name: string) => {
    const ids = await findIds(table, property, (await inForce()).withName(name));
    return [...ids.values()];
  };
  return {
    getMany,
    idsOf: (property, identities) => idsOf({ table, pause }, known, property, identities),
    findIds: (property, identities) => findIds(table, property, identities),
    get: async (property, id) => (await getMany(property, [id])).get(id),
    find: (property, name, place) => findSegments({ table, getMany, alsoNamed }, property, name, place),
    list: (property, place) => listSegments({ table, read }, property, place),
  };
};

interface Known {
  /** By property and identity. */
  readonly ids: BoundedMap<string, number>;
  readonly segments: BoundedMap<number, Segment>;
  /** Of brands, whose ids may go to others while a version is put in place: remembered as long as none is. */
  brands: { readonly times: BrandVersions | undefined; readonly segments: BoundedMap<number, Segment> };
}

const idsOf = async (
  deps: QuotaDeps,
  known: Known,
  property: number,
  identities: readonly IndexedIdentity[],
): Promise<ReadonlyMap<string, number>> => {
  const ids = new Map<string, number>();
  const unknown = new Map<string, SegmentIdentity>();
  for (const identity of identities) {
    const key = identityKey(identity);
    const id = fixedId(property, identity) ?? known.ids.get(`${property}${key}`);
    if (id !== undefined) ids.set(key, id);
    else if (isShown(identity)) unknown.set(key, identity);
  }
  for (const segment of await claimSegments(deps, property, [...unknown.values()])) {
    const key = identityKey(segment);
    ids.set(key, segment.id);
    known.ids.set(`${property}${key}`, segment.id);
  }
  return ids;
};

/** Ids of keys that have one. */
const findKeys = async (
  table: Table,
  { ids }: Known,
  property: number,
  wanted: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const unknown = wanted.filter((key) => ids.get(`${property}${key}`) === undefined);
  const items = unknown.length === 0 ? [] : await table.getMany(unknown.map((key) => claimOf(property, key)));
  items.forEach((item, index) => {
    if (item) ids.set(`${property}${unknown[index] ?? ''}`, claimedSegment(item));
  });
  return new Map(
    wanted.flatMap((key) => {
      const id = ids.get(`${property}${key}`);
      return id === undefined ? [] : [[key, id] as const];
    }),
  );
};

const findIds = async (
  table: Table,
  property: number,
  identities: readonly IndexedIdentity[],
): Promise<ReadonlyMap<string, number>> => {
  const found = new Map<string, number>();
  const claimed = identities.filter(isShown);
  for (const segment of await readClaims(table, property, claimed))
    if (segment) found.set(identityKey(segment), segment.id);
  for (const identity of identities) {
    const id = fixedId(property, identity);
    if (id !== undefined) found.set(identityKey(identity), id);
  }
  return found;
};

/** The segments of identities: found by their claims, or claimed now; complete in the table when this returns. */
const claimSegments = async (
  deps: QuotaDeps,
  property: number,
  identities: readonly SegmentIdentity[],
): Promise<readonly Segment[]> => {
  const { table } = deps;
  if (identities.length === 0) return [];
  const claimed = await readClaims(table, property, identities);
  const unclaimed = identities.filter((_, index) => claimed[index] === undefined);
  const inherited = await inheritIds(table, property, unclaimed);
  const settled = new Set(inherited.map(identityKey));
  const missing = unclaimed.filter((identity) => !settled.has(identityKey(identity)));
  const made = missing.length === 0 ? [] : await makeClaims(deps, property, missing);
  const found = [...claimed, ...inherited, ...made].filter((segment) => segment !== undefined);
  // A maker may have stopped between its claim and the rest: whoever meets the claim next completes it.
  const stored = await table.getMany(found.map(({ id }) => keys.segment(property, id)));
  await recordAliases(table, property, found, stored);
  await writeSegments(
    table,
    property,
    found.filter((_, index) => stored[index] === undefined),
  );
  return found;
};

const readClaims = async (
  table: Table,
  property: number,
  identities: readonly SegmentIdentity[],
): Promise<readonly (Segment | undefined)[]> => {
  const items = await table.getMany(identities.map((identity) => claimKey(property, identity)));
  return identities.map((identity, index) => {
    const item = items[index];
    return item && { ...identity, id: claimedSegment(item) };
  });
};

/** Claims new segments as far as the property has room; one that another claims first is taken as it is. */
const makeClaims = async (
  deps: QuotaDeps,
  property: number,
  identities: readonly SegmentIdentity[],
): Promise<readonly (Segment | undefined)[]> => {
  const { table } = deps;
  const quota = 'segment-count';
  const count = Math.min(identities.length, await freeQuota(table, property, quota));
  if (count === 0) return [];
  const ids = await newSegmentIds(table, property, count);
  const name = String(ids[0]);
  const reserved = await reserveConcurrently(deps, { property, quota, name, count });
  const segments = ids.slice(0, reserved).flatMap((id, index) => {
    const identity = identities[index];
    return identity ? [{ ...identity, id }] : [];
  });
  const outcomes = await table.writeMany(segments.map((segment) => claimWrite(property, segment)));
  const lost = segments.filter((_, index) => outcomes[index] === 'refused');
  if (lost.length > 0)
    await releaseQuota(deps, { property, quota, name: partOf(name, 'lost'), count: lost.length });
  const won = segments.filter((_, index) => outcomes[index] === 'applied');
  return [...won, ...(lost.length > 0 ? await readClaims(table, property, lost) : [])];
};

const readSegments = async (
  table: Table,
  { segments, brands }: Known,
  property: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Segment>> => {
  const remembered = (id: number): Segment | undefined => segments.get(id) ?? brands.segments.get(id);
  const own = [...new Set(ids)].filter((id) => belongsTo(property, id));
  const unknown = own.filter((id) => id !== everyoneId(property) && remembered(id) === undefined);
  const items =
    unknown.length > 0 ? await table.getMany(unknown.map((id) => keys.segment(property, id))) : [];
  const read = await visibleSegments(
    table,
    property,
    items.filter((item) => item !== undefined),
  );
  for (const segment of read)
    if (!segment.custom) (isOfBrands(segment) ? brands.segments : segments).set(segment.id, segment);
  const found = new Map(read.map((segment) => [segment.id, segment]));
  for (const id of own) {
    const segment = id === everyoneId(property) ? everyoneOf(property) : remembered(id);
    if (segment) found.set(id, segment);
  }
  return found;
};
