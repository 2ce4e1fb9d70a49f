import { keys } from '../table/keys.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';
import { identityKey } from './identity.ts';
import { claimedSegment, claimKey, claimOf, parseSegment } from './segment-items.ts';
import { isOfBrands } from './segment-stages.ts';
import type { Segment, SegmentIdentity } from './types.ts';

/**
 * Gives brands the ids of the segments that they come from, where the property has one: that is claimed for the new key
 * too. Of two that want different ids for one key the first decides, and both get what it says.
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
 * Notes at segments by which keys they go besides their own, so that their ids stay with the brand. Whoever meets such a claim
 * does it: the one who made it may have stopped.
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
  // Refused where another has just done the same.
  await table.writeMany(distinct(writes));
};

const distinct = (writes: readonly Write[]): readonly Write[] => [
  ...new Map(writes.map((write) => [write.key.sk, write])).values(),
];
