/** Inherited ids: lets the successor of a retired brand keep the id, and with it the members, of its predecessor. */
import { keys } from '../table/keys.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';
import { identityKey, claimKey, claimOf } from './identity.ts';
import { claimedSegment, parseSegment, isOfBrands } from './segment-items.ts';
import type { Segment, SegmentIdentity } from './types.ts';

/**
 * Claims the keys of new brands with the ids of the segments that they were merged from, where the property has such a
 * segment. Of two writers that claim one key with different ids the first wins, and both use its id.
 */
export const inheritIds = async (
  table: Table,
  property: number,
  identities: readonly SegmentIdentity[],
): Promise<readonly Segment[]> => {
  const successors = identities.flatMap((identity) =>
    identity.mergedFrom === undefined ? [] : [{ identity, mergedFrom: identity.mergedFrom }],
  );
  if (successors.length === 0) return [];
  const former = await table.getMany(successors.map(({ mergedFrom }) => claimOf(property, mergedFrom)));
  const inheriting = successors.flatMap(({ identity }, index) => {
    const item = former[index];
    return item ? [{ ...identity, id: claimedSegment(item) }] : [];
  });
  const writes = inheriting.map(({ id, ...identity }): Write => {
    return { kind: 'insert', key: claimKey(property, identity), set: { segment: id } };
  });
  const outcomes = await table.writeMany(writes);
  const lost = inheriting.filter((_, index) => outcomes[index] === 'refused');
  const claims = await table.getMany(lost.map((identity) => claimKey(property, identity)));
  const taken = lost.flatMap((segment, index) => {
    const item = claims[index];
    return item ? [{ ...segment, id: claimedSegment(item) }] : [];
  });
  return [...inheriting.filter((_, index) => outcomes[index] === 'applied'), ...taken];
};

/**
 * Records the inherited keys of brands as aliases in their items, so that their ids stay with the brand. Every writer
 * that reads such a claim does so, because the writer of the claim may have died.
 */
export const recordAliases = async (
  table: Table,
  property: number,
  segments: readonly Segment[],
  stored: readonly (StoredItem | undefined)[],
): Promise<void> => {
  const writes = segments.flatMap((segment, index): readonly Write[] => {
    const item = stored[index];
    if (!item || !isOfBrands(segment)) return [];
    const { aliases = [], ...own } = parseSegment(item);
    const key = identityKey(segment);
    if (identityKey(own) === key || aliases.includes(key)) return [];
    const set = { aliases: [...aliases, key] };
    return [{ kind: 'update', key: keys.segment(property, segment.id), set, expect: { w: item.w } }];
  });
  // Refused when another writer has just recorded the same alias.
  await table.writeMany(distinct(writes));
};

const distinct = (writes: readonly Write[]): readonly Write[] => [
  ...new Map(writes.map((write) => [write.key.sk, write])).values(),
];
