import { hash } from 'node:crypto';
import * as v from 'valibot';
import { keys } from '../table/keys.ts';
import { scopedId } from '../table/scoped-ids.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';
import { foldName, identityKey } from './identity.ts';
import { segmentTypes, type Segment, type SegmentIdentity } from './types.ts';

const claimItem = v.object({ segment: v.number() });
const segmentItem = v.object({
  id: v.number(),
  type: v.picklist(segmentTypes),
  path: v.array(v.string()),
  name: v.string(),
  key: v.exactOptional(v.string()),
  aliases: v.exactOptional(v.array(v.string())),
});

/** An identity with the id that it is to have. */
export type Claiming = SegmentIdentity & Pick<Segment, 'id'>;

/** The segment of its item. */
export const parseSegment = (item: StoredItem): Segment => v.parse(segmentItem, item);

/** The id that a claim or an item of the names gives. */
export const claimedSegment = (item: StoredItem): number => v.parse(claimItem, item).segment;

/** The claim that makes a segment of an identity the only one. */
export const claimWrite = (property: number, { id, ...identity }: Claiming): Write => ({
  kind: 'insert',
  key: claimKey(property, identity),
  set: { segment: id },
});

/** Key of an identity's claim. */
export const claimKey = (property: number, identity: SegmentIdentity) =>
  claimOf(property, identityKey(identity));

/** Key of the claim on what an identity goes by. */
export const claimOf = (property: number, key: string) => keys.segmentClaim(property, hash('sha256', key));

/** Partition of the segments with a name. */
export const nameKey = (property: number, name: string, segment: number) =>
  keys.segmentByName(property, hash('sha256', foldName(name)), segment);

/**
 * Writes what a claimed segment is found by: first the items of the names, then the segments themselves, so that a
 * segment which is there is found by name. What is there already stays.
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

/** Reserves ids of new segments, of every kind; what is not used is a gap. The first of a property is `everyone`. */
export const newSegmentIds = async (
  table: Table,
  property: number,
  count: number,
): Promise<readonly number[]> => {
  const last = await table.increment(keys.counter(property, 'segment'), count);
  return Array.from({ length: count }, (_, index) => scopedId(property, last - count + index + 2));
};

/** Takes the id of one new segment. */
export const newSegmentId = async (table: Table, property: number): Promise<number> => {
  const [id] = await newSegmentIds(table, property, 1);
  if (id === undefined) throw new Error('segments: no id was reserved');
  return id;
};
