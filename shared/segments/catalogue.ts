import { BoundedMap } from '../runtime/bounded-map.ts';
import { keys } from '../table/keys.ts';
import { belongsTo } from '../table/scoped-ids.ts';
import type { Table } from '../table/table.ts';
import { findSegments, listSegments, type SegmentPage } from './catalogue-lists.ts';
import { readableSegments } from './custom-items.ts';
import { everyoneId, everyoneOf, fixedId, identityKey, isShown } from './identity.ts';
import { reserveRoom, returnRoom } from './room.ts';
import { claimedSegment, claimKey, claimWrite, newSegmentIds, writeSegments } from './segment-items.ts';
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
  /** Segments by id; unknown ones are absent. */
  getMany(property: number, ids: readonly number[]): Promise<ReadonlyMap<number, Segment>>;
  /** Current segments with exactly this name, ignoring case, in order of id, from behind `after`. */
  find(property: number, name: string, limit: number, after?: number): Promise<SegmentPage>;
  /** All current segments in order of id, from behind `after`. */
  list(property: number, limit: number, after?: number): Promise<SegmentPage>;
}

/** The catalogue on the table, with a memory of what it has seen: a segment never changes, except a custom one. */
export const segmentCatalogue = ({ table }: { table: Table }): SegmentCatalogue => {
  const known: Known = { ids: new BoundedMap(CACHED), segments: new BoundedMap(CACHED) };
  const getMany = (property: number, ids: readonly number[]) => readSegments(table, known, property, ids);
  return {
    getMany,
    idsOf: (property, identities) => idsOf(table, known, property, identities),
    findIds: (property, identities) => findIds(table, property, identities),
    get: async (property, id) => (await getMany(property, [id])).get(id),
    find: (property, name, limit, after) =>
      findSegments({ table, getMany }, property, { name, limit, after }),
    list: (property, limit, after) => listSegments(table, property, { limit, after }),
  };
};

interface Known {
  /** By property and identity. */
  readonly ids: BoundedMap<string, number>;
  readonly segments: BoundedMap<number, Segment>;
}

const idsOf = async (
  table: Table,
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
  for (const segment of await claimSegments(table, property, [...unknown.values()])) {
    const key = identityKey(segment);
    ids.set(key, segment.id);
    known.ids.set(`${property}${key}`, segment.id);
  }
  return ids;
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
  table: Table,
  property: number,
  identities: readonly SegmentIdentity[],
): Promise<readonly Segment[]> => {
  if (identities.length === 0) return [];
  const claimed = await readClaims(table, property, identities);
  const missing = identities.filter((_, index) => claimed[index] === undefined);
  const made = missing.length === 0 ? [] : await makeClaims(table, property, missing);
  const found = [...claimed, ...made].filter((segment) => segment !== undefined);
  // A maker may have stopped between its claim and the rest: whoever meets the claim next completes it.
  const stored = await table.getMany(found.map(({ id }) => keys.segment(property, id)));
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
  table: Table,
  property: number,
  identities: readonly SegmentIdentity[],
): Promise<readonly (Segment | undefined)[]> => {
  const room = await reserveRoom(table, property, 'segment-count', identities.length);
  if (room === 0) return [];
  const ids = await newSegmentIds(table, property, room);
  const segments = ids.flatMap((id, index) => {
    const identity = identities[index];
    return identity ? [{ ...identity, id }] : [];
  });
  const outcomes = await table.writeMany(segments.map((segment) => claimWrite(property, segment)));
  const lost = segments.filter((_, index) => outcomes[index] === 'refused');
  if (lost.length > 0) await returnRoom(table, property, 'segment-count', lost.length);
  const won = segments.filter((_, index) => outcomes[index] === 'applied');
  return [...won, ...(lost.length > 0 ? await readClaims(table, property, lost) : [])];
};

const readSegments = async (
  table: Table,
  { segments }: Known,
  property: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Segment>> => {
  const own = [...new Set(ids)].filter((id) => belongsTo(property, id));
  const unknown = own.filter((id) => id !== everyoneId(property) && segments.get(id) === undefined);
  const items =
    unknown.length > 0 ? await table.getMany(unknown.map((id) => keys.segment(property, id))) : [];
  const read = await readableSegments(
    table,
    property,
    items.filter((item) => item !== undefined),
  );
  for (const segment of read) if (!segment.custom) segments.set(segment.id, segment);
  const found = new Map(read.map((segment) => [segment.id, segment]));
  for (const id of own) {
    const segment = id === everyoneId(property) ? everyoneOf(property) : segments.get(id);
    if (segment) found.set(id, segment);
  }
  return found;
};
