import { limits } from '../../config/limits.ts';

/** Ranks of a shard's members in the frozen set: from `from` to `to` (exclusive). */
export interface ShardRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Number of shards for so many members: each at most `profilesPerShard` while 1,000 shards are enough, larger ones beyond
 * (1,000 is what one inline map of the workflow should hold).
 */
export const shardCount = (members: number): number =>
  Math.min(limits.exports.shards, Math.ceil(members / limits.exports.profilesPerShard));

/** The members of shard `shard` of `shards`: sizes differ by one at most. */
export const shardRange = (members: number, shards: number, shard: number): ShardRange => ({
  from: Math.floor((members * shard) / shards),
  to: Math.floor((members * (shard + 1)) / shards),
});
