import { limits } from '../../config/limits.ts';

/** Ranks of a shard's members in the frozen set: from `from` to `to` (exclusive). */
export interface ShardRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Number of shards for a number of members. A shard has at most `profilesPerShard` members while 1,000 shards are
 * enough, and more beyond that: one inline map of the workflow should have at most 1,000 items.
 */
export const shardCount = (members: number): number =>
  Math.min(limits.exports.shards, Math.ceil(members / limits.exports.profilesPerShard));

/** The members of shard `shard` of `shards`. The sizes of shards differ by one at most. */
export const shardRange = (members: number, shards: number, shard: number): ShardRange => ({
  from: Math.floor((members * shard) / shards),
  to: Math.floor((members * (shard + 1)) / shards),
});
