/**
 * Removal of value segments: deletes the segment of a value that no profile has. `docs/internals/empty-segments.md`
 * draws the protocol.
 */
import { deletedAs, isMarked, markWrite, stopWrite, type DeletionCause } from '../catalogue/segment-ids.ts';
import { claimKey, nameKey } from '../catalogue/identity.ts';
import { newSegmentId, parseSegment, quotaOf, quotaWrite } from '../catalogue/segment-items.ts';
import type { Segment } from '../catalogue/types.ts';
import { hasMember, removeChunks, sealChunks } from '../membership/chunk.ts';
import {
  deleteUnreferenced,
  purgeReferences,
  type DeleteDeps,
  type InUse,
} from '../references/delete-unreferenced.ts';
import { isLive, lifecycleOf } from '../references/lifecycle.ts';
import type { Referent } from '../references/references.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';
import { keys } from '../table/keys.ts';
import type { StoredItem } from '../table/table.ts';
import type { CustomRefusal } from './custom-steps.ts';

type ValueRefusal = CustomRefusal | InUse;

/**
 * Deletes a value segment without members that no referrer names. A record with the value that comes later creates the
 * segment again, under another id.
 */
export const removeValueSegment = async (
  deps: DeleteDeps,
  property: number,
  id: number,
  cause: DeletionCause,
): Promise<Result<undefined, ValueRefusal>> => {
  const referent: Referent = { kind: 'segment', id };
  const read = () => readEmpty(deps, property, id);
  const seen = await read();
  if (!seen.ok) return seen;
  // The item stays as a tombstone with its identity: an indexer may still come with the id.
  const others = deletedAs(await newSegmentId(deps.table, property), cause);
  const deleted = await deleteUnreferenced(deps, property, referent, { read, others, now: cause.now });
  if (!deleted.ok) return deleted;
  await clearUp(deps, property, deleted.value.segment);
  return ok(undefined);
};

/** A segment whose chunks are sealed, with its item as it was before that. */
interface SeenEmpty {
  readonly item: StoredItem;
  readonly segment: Segment;
}

/**
 * Marks a segment, then seals its chunks. From the mark on, an indexer that makes room for members stops the deletion:
 * it changes the item that this function returns.
 */
const readEmpty = (
  deps: DeleteDeps,
  property: number,
  id: number,
): Promise<Result<SeenEmpty, ValueRefusal>> => {
  const { table, pause } = deps;
  const key = keys.segment(property, id);
  const retry = { pause, what: 'segments: a value segment to delete' };
  return retryOnConflict<Result<SeenEmpty, ValueRefusal>>(retry, async () => {
    const item = await table.get(key);
    // The function of an earlier deletion may have died before it cleared up.
    if (item && isMarked(item) && lifecycleOf(item) === 'deleted')
      await clearUp(deps, property, parseSegment(item));
    if (!isLive(item)) return done(err('not_found'));
    const segment = parseSegment(item);
    if (await hasMember(table, property, id)) return done(err({ kept: segment }));
    if (!isMarked(item)) await table.write(markWrite(item));
    const marked = await table.get(key);
    if (!isLive(marked) || !isMarked(marked)) return 'conflict';
    const chunks = await sealChunks(table, property, id);
    if (chunks === 'sealed') return done(ok({ item: marked, segment }));
    if (chunks === 'conflict') return 'conflict';
    await table.write(stopWrite(marked));
    return done(err({ kept: segment }));
  });
};

/** Removes what belongs to a deleted segment. May be repeated; only one call counts the segment off. */
const clearUp = async (deps: DeleteDeps, property: number, segment: Segment): Promise<void> => {
  const { table, pause } = deps;
  const { id, name } = segment;
  const expect = { segment: id };
  await table.write({ kind: 'delete', key: claimKey(property, segment), expect });
  await table.write({ kind: 'delete', key: nameKey(property, name, id), expect });
  await removeChunks(table, property, id);
  await purgeReferences(table, property, { kind: 'segment', id });
  const key = keys.segment(property, id);
  const last = { kind: 'update', key, set: { deleting: null }, expect: { deleting: true } } as const;
  await retryOnConflict({ pause, what: 'segments: the number of segments' }, async () => {
    const counted = await quotaWrite(table, property, quotaOf(segment), -1);
    const refused = await table.transact(counted ? [last, counted] : [last]);
    return refused.length === 0 || refused.includes(0) ? done(undefined) : 'conflict';
  });
};
