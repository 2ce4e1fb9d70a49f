/** Segment items: parses and writes the items of segments, of their names and of their claims. */
import { hash } from 'node:crypto';
import * as v from 'valibot';
import { keys } from '../table/keys.ts';
import { scopedId } from '../table/scoped-ids.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';
import { foldName, identityKey } from './identity.ts';
import { segmentTypes, type Segment, type SegmentIdentity, type SegmentType } from './types.ts';

const claimItem = v.object({ segment: v.number() });
const segmentItem = v.object({
  id: v.number(),
  type: v.picklist(segmentTypes),
  path: v.array(v.string()),
  name: v.string(),
  key: v.exactOptional(v.string()),
  aliases: v.exactOptional(v.array(v.string())),
});

/** An identity with its future id. */
export type Claiming = SegmentIdentity & Pick<Segment, 'id'>;

/** Parses the item of a segment. */
export const parseSegment = (item: StoredItem): Segment => v.parse(segmentItem, item);

/** The type in the item of a segment; undefined without an item, and for a tombstone in the place of a segment. */
export const parseSegmentType = (item: StoredItem | undefined): SegmentType | undefined => {
  const type = v.safeParse(v.picklist(segmentTypes), item?.['type']);
  return type.success ? type.output : undefined;
};

/** The segment id in a claim or in an item of the names. */
export const claimedSegment = (item: StoredItem): number => v.parse(claimItem, item).segment;

/** The claim that makes the segment of an identity unique: a conditional insert. */
export const claimWrite = (property: number, { id, ...identity }: Claiming): Write => ({
  kind: 'insert',
  key: claimKey(property, identity),
  set: { segment: id },
});

/** The key of an identity's claim. */
export const claimKey = (property: number, identity: SegmentIdentity) =>
  claimOf(property, identityKey(identity));

/** The key of the claim on an identity key. */
export const claimOf = (property: number, key: string) => keys.segmentClaim(property, hash('sha256', key));

/** The key of a segment in the partition of its name. */
export const nameKey = (property: number, name: string, segment: number) =>
  keys.segmentByName(property, hash('sha256', foldName(name)), segment);

/**
 * Writes the items of claimed segments: first the items of the names, then the segments, so that every stored segment
 * can be found by name. Existing items stay.
 */
export const writeSegments = async (
  table: Table,
  property: number,
  segments: readonly Segment[],
): Promise<void> => {
  if (segments.length === 0) return;
  await table.writeMany(
    segments.map(({ id, name }) => ({
      kind: 'insert',
      key: nameKey(property, name, id),
      set: { segment: id },
    })),
  );
  await table.writeMany(
    segments.map(({ id, type, path, name, key }) => ({
      kind: 'insert',
      key: keys.segment(property, id),
      set: { id, type, path, name, ...(key === undefined ? {} : { key }) },
    })),
  );
};

/** Reserves ids for new segments of any type. Unused ids remain gaps. The first id of a property is that of `everyone`. */
export const newSegmentIds = async (
  table: Table,
  property: number,
  count: number,
): Promise<readonly number[]> => {
  const last = await table.increment(keys.counter(property, 'segment'), count);
  return Array.from({ length: count }, (_, index) => scopedId(property, last - count + index + 2));
};

export const newSegmentId = async (table: Table, property: number): Promise<number> => {
  const [id] = await newSegmentIds(table, property, 1);
  if (id === undefined) throw new Error('segments: no id was reserved');
  return id;
};
