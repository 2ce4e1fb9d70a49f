/** Segment catalogue: finds the segments of a property by id, name or identity, and gives new segments their ids. */
import { limits } from '../config/limits.ts';
import { PassingRefusal } from '../http/passing-refusal.ts';
import { problems } from '../http/problem.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import type { Clock } from '../runtime/clock.ts';
import { belongsTo } from '../table/scoped-ids.ts';
import type { StoredItem, Table } from '../table/table.ts';
import type { BrandVersions } from './brand-versions.ts';
import { noBrands, type Brands } from './brands.ts';
import type { DerivationSource } from './derivation.ts';
import { findSegments, listSegments, type SegmentPage, type SegmentPlace } from './catalogue-lists.ts';
import {
  readDeleted,
  recreateSegments,
  claimIds,
  findIds,
  findKeys,
  idName,
  type IdCache,
} from './segment-ids.ts';
import { everyoneId, everyoneOf, identityKey, isPreparing } from './identity.ts';
import {
  freeQuota,
  quotaOf,
  type QuotaDeps,
  dependsOnBrands,
  expandedSegments,
  isOfBrands,
  memberIds,
  namedSegments,
  readItems,
  visibleSegments,
} from './segment-items.ts';
import type { IndexedIdentity, Segment, SegmentIdentity } from './types.ts';

/** Segments that a process caches, of all properties; about 15 MB. */
const CACHED = 50_000;

const CACHE_MS = limits.segments.cacheSeconds * 1000;

/** The segments of a property. The id of a segment never changes. */
export interface SegmentCatalogue {
  /**
   * Ids by `identityKey`, created where missing: two concurrent callers get the same id. Once the id is returned, its
   * segment can be read and found. Identities beyond the segment quota of the property have no id.
   */
  idsOf(property: number, identities: readonly IndexedIdentity[]): Promise<ReadonlyMap<string, number>>;
  /** Ids by `identityKey`, for the identities that have an id. Creates none. */
  findIds(property: number, identities: readonly IndexedIdentity[]): Promise<ReadonlyMap<string, number>>;
  /** Whether the quota has room for another segment of the type of an identity. */
  hasRoom(property: number, identity: SegmentIdentity): Promise<boolean>;
  /**
   * The segment of an id, read from the table, also a condition that is not ready yet; undefined when the id is unknown or
   * belongs to another property.
   */
  get(property: number, id: number): Promise<Segment | undefined>;
  /** Segments by id, without unknown ids. Throws a `PassingRefusal` for a condition that is not ready yet. */
  getMany(property: number, ids: readonly number[]): Promise<ReadonlyMap<number, Segment>>;
  /**
   * The same for the index and its measurements, with the conditions that are not ready yet. Brands have the names of
   * `brands`, by default those of the version in force.
   */
  indexed(property: number, ids: readonly number[], brands?: Brands): Promise<ReadonlyMap<number, Segment>>;
  /**
   * Segments by id as they are stored, without the present names of brands: for callers that check whether ids exist.
   * Throws as `getMany` does.
   */
  visible(property: number, ids: readonly number[]): Promise<ReadonlyMap<number, Segment>>;
  /**
   * The identities of the deleted value segments among these ids, read from the table. Later calls no longer find them
   * in the cache.
   */
  deleted(property: number, ids: readonly number[]): Promise<ReadonlyMap<number, SegmentIdentity>>;
  /** Creates deleted value segments again. Returns the new ids by the deleted ids; no id beyond the segment quota. */
  recreate(property: number, ids: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Current segments with exactly this name, ignoring case, in order of id, also conditions that are not ready yet. */
  find(property: number, name: string, place: SegmentPlace): Promise<SegmentPage>;
  /** All current segments in order of id, also conditions that are not ready yet. */
  list(property: number, place: SegmentPlace): Promise<SegmentPage>;
}

/** `clock` decides which version of the brand catalogue is in force. */
export interface CatalogueDeps extends QuotaDeps {
  readonly derivations: Pick<DerivationSource, 'brands'>;
  readonly clock: Clock;
}

/**
 * The catalogue on the table, with a cache. A stored segment never changes, unless it is a custom segment or a brand;
 * but a value segment may be deleted. So the cache ends after a minute.
 */
export const segmentCatalogue = ({ table, derivations, clock, pause }: CatalogueDeps): SegmentCatalogue => {
  let own = newCache(clock());
  const current = (): Cache => {
    const age = clock() - own.since;
    if (age < 0 || age >= CACHE_MS) own = newCache(clock());
    return own;
  };
  /** The version in force. Drops the cached brands when the versions in use have changed. */
  const inForce = async (): Promise<Brands> => {
    const versions = await derivations.brands();
    const cache = current();
    if (cache.brands.versions !== versions) cache.brands = { versions, segments: new BoundedMap(CACHED) };
    return versions.at(clock());
  };
  /** Stages 3 and 4. */
  const resolve = async (property: number, segments: readonly Segment[], version: Brands) => {
    const find = (wanted: readonly string[]) => findKeys(table, current().ids, property, wanted);
    const named = await namedSegments(segments, version, find);
    const ids = version === noBrands ? [] : memberIds(named);
    if (ids.length === 0) return named;
    const members = await readVisible(table, current(), property, ids);
    return expandedSegments(named, await namedSegments([...members.values()], version, find));
  };
  const indexed = async (property: number, ids: readonly number[], version?: Brands) => {
    const before = current().brands;
    let segments = await readVisible(table, current(), property, ids);
    if (![...segments.values()].some(dependsOnBrands)) return segments;
    const present = await inForce();
    // Brands that were read before these versions were known may lack an alias.
    if (current().brands !== before) segments = await readVisible(table, current(), property, ids);
    const resolved = await resolve(property, [...segments.values()], version ?? present);
    return new Map(resolved.map((segment) => [segment.id, segment]));
  };
  const read = async (property: number, items: readonly StoredItem[]) => {
    const version = await inForce();
    return resolve(property, await visibleSegments(table, property, items), version);
  };
  const alsoNamed = async (property: number, name: string) => {
    const ids = await findIds(table, property, (await inForce()).withName(name));
    return [...ids.values()];
  };
  return {
    getMany: async (property, ids) => allReady(await indexed(property, ids)),
    indexed,
    visible: async (property, ids) => allReady(await readVisible(table, current(), property, ids)),
    idsOf: (property, identities) => claimIds({ table, pause }, current().ids, property, identities),
    findIds: (property, identities) => findIds(table, property, identities),
    hasRoom: async (property, identity) => (await freeQuota(table, property, quotaOf(identity))) > 0,
    get: async (property, id) => {
      current().segments.delete(id);
      return (await indexed(property, [id])).get(id);
    },
    deleted: (property, ids) => dropDeleted(table, current(), property, ids),
    recreate: async (property, ids) => {
      const created = await recreateSegments({ table, pause }, property, ids);
      return new Map([...created].map(([deleted, { id }]) => [deleted, id]));
    },
    find: (property, name, place) =>
      findSegments({ table, getMany: indexed, alsoNamed }, property, name, place),
    list: (property, place) => listSegments({ table, read }, property, place),
  };
};

/**
 * The segments, of which nobody may name one that is not ready: what depends on it would be partial without a word. That
 * passes by itself, so it is no refusal that each use case would have to handle, and none can forget it.
 */
const allReady = (segments: ReadonlyMap<number, Segment>): ReadonlyMap<number, Segment> => {
  for (const segment of segments.values()) requireReady(segment);
  return segments;
};

/** A segment that may be named. Throws a `PassingRefusal` for a condition that is not ready yet. */
export const requireReady = (segment: Segment): Segment => {
  if (isPreparing(segment)) throw preparing(segment.id);
  return segment;
};

/** Seconds after which a client asks again for a segment that is being prepared. */
const PREPARING_SECONDS = 15;

const preparing = (id: number): PassingRefusal => {
  const wait = String(PREPARING_SECONDS);
  const detail = `Segment ${id} is being prepared; try again in ${wait} s (Retry-After: ${wait}).`;
  return new PassingRefusal({
    ...problems.conflict('segment_preparing', detail),
    headers: { 'retry-after': wait },
  });
};

interface Cache {
  /** Epoch milliseconds. */
  readonly since: number;
  readonly ids: IdCache;
  readonly segments: BoundedMap<number, Segment>;
  /**
   * Brands as stored. Their aliases may change while a version is put in place, so they are cached per set of versions.
   */
  brands: { readonly versions: BrandVersions | undefined; readonly segments: BoundedMap<number, Segment> };
}

const newCache = (since: number): Cache => ({
  since,
  ids: new BoundedMap(CACHED),
  segments: new BoundedMap(CACHED),
  brands: { versions: undefined, segments: new BoundedMap(CACHED) },
});

/** The deleted value segments among these ids; takes them out of the cache. */
const dropDeleted = async (
  table: Table,
  { segments, ids: known }: Cache,
  property: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, SegmentIdentity>> => {
  const found = new Map<number, SegmentIdentity>();
  for (const [id, { identity }] of await readDeleted(table, property, ids)) {
    segments.delete(id);
    known.delete(idName(property, identityKey(identity)));
    found.set(id, identity);
  }
  return found;
};

/** Stages 1 and 2, for the ids that are not cached. */
const readVisible = async (
  table: Table,
  { segments, brands }: Cache,
  property: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Segment>> => {
  const everyone = everyoneId(property);
  const cached = (id: number): Segment | undefined => segments.get(id) ?? brands.segments.get(id);
  const own = [...new Set(ids)].filter((id) => belongsTo(property, id));
  const unknown = own.filter((id) => id !== everyone && cached(id) === undefined);
  const read = await visibleSegments(table, property, await readItems(table, property, unknown));
  const found = new Map(read.map((segment) => [segment.id, segment]));
  // Custom segments and conditions change.
  for (const segment of read) {
    if (!segment.custom && !segment.condition)
      (isOfBrands(segment) ? brands.segments : segments).set(segment.id, segment);
  }
  for (const id of own) {
    const segment = id === everyone ? everyoneOf(property) : cached(id);
    if (segment) found.set(id, segment);
  }
  return found;
};
