/** Custom segments: creates, replaces and deletes them, with their references and their quota. */
import { err, ok, type Result } from '../runtime/result.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';
import { allocateIdOnce, type RequestIdentity } from '../table/idempotent-ids.ts';
import { keys } from '../table/keys.ts';
import { commitWrite, discardWrite, replaceWrite } from '../references/lifecycle.ts';
import {
  deleteUnreferenced,
  purgeDeleted,
  type DeleteDeps,
  type InUse,
} from '../references/delete-unreferenced.ts';
import {
  addReferences,
  touchReferents,
  type Referent,
  type ReferenceDeps,
} from '../references/references.ts';
import { customSegmentOf, type CustomDraft, type CustomSegment } from '../catalogue/custom-items.ts';
import {
  readCurrentCustom,
  readCustomSegment,
  reserveCustomQuota,
  retireCustomSegment,
  releaseCustomQuota,
  storeCustomSegment,
  type CustomRefusal,
} from './custom-steps.ts';
import { newSegmentId } from '../catalogue/segment-items.ts';

/** A new custom segment, and the custom segments that its definition names. */
export interface NewCustom {
  readonly draft: CustomDraft;
  readonly referents: readonly Referent[];
}

/** A new custom segment, and the request that creates it, if a client may repeat the request. */
export interface NewCustomRequest extends NewCustom {
  readonly requestIdentity?: RequestIdentity;
}

/** Segments in a definition that were deleted before the definition was stored. */
export interface DeletedReferents {
  readonly deleted: readonly Referent[];
}

/**
 * Creates a custom segment: it exists once its item does. A repeated request gets the segment that it created the first
 * time.
 */
export const addCustomSegment = async (
  deps: ReferenceDeps,
  property: number,
  { draft, referents, requestIdentity: requestIdentity }: NewCustomRequest,
): Promise<Result<CustomSegment, DeletedReferents | 'segment_limit'>> => {
  const { table, pause } = deps;
  const next = () => newSegmentId(table, property);
  const retry = { pause, what: 'segments: a new segment' };
  return retryOnConflict<Result<CustomSegment, DeletedReferents | 'segment_limit'>>(retry, async (round) => {
    const id = requestIdentity
      ? await allocateIdOnce(table, requestIdentity, `segment#${round}`, next)
      : await next();
    const made = requestIdentity?.again === true ? await readCustomSegment(table, property, id) : undefined;
    if (made) return done(ok(made));
    if (!(await reserveCustomQuota(deps, property, id))) return done(err('segment_limit'));
    const segment = customSegmentOf(id, draft, null);
    await addReferences(deps, property, { referrer: { kind: 'segment', id }, referents });
    const deletedReferents = await touchReferents(deps, property, referents);
    const isStored =
      deletedReferents.length === 0 && (await storeCustomSegment(table, property, segment, null));
    if (isStored) return done(ok(segment));
    await releaseCustomQuota(deps, property, id);
    // Without a deleted referent, its deletion has fenced the id. The next round finds out whether the referent still exists.
    return deletedReferents.length > 0 ? done(err({ deleted: deletedReferents })) : 'conflict';
  });
};

/**
 * Replaces a custom segment by a successor. One write commits the successor: the write by which the old segment names
 * it. The successor takes over the quota of the old segment, which lists no longer show.
 */
export const replaceCustomSegment = async (
  deps: ReferenceDeps,
  property: number,
  old: number,
  { draft, referents }: NewCustom,
): Promise<Result<CustomSegment, DeletedReferents | CustomRefusal>> => {
  const { table, pause } = deps;
  // A replaced segment is never deleted, so a successor that names it needs no reference.
  const others = referents.filter(({ id }) => id !== old);
  const retry = { pause, what: 'segments: the successor of a segment' };
  return retryOnConflict<Result<CustomSegment, DeletedReferents | CustomRefusal>>(retry, async () => {
    const id = await newSegmentId(table, property);
    await addReferences(deps, property, { referrer: { kind: 'segment', id }, referents: others });
    const segment = customSegmentOf(id, draft, null);
    if (!(await storeCustomSegment(table, property, segment, old))) return 'conflict';
    const replaced = await commitSuccessor(deps, property, { old, id, referents: others });
    await retireCustomSegment(table, property, replaced.ok ? replaced.value : segment);
    if (replaced.ok) return done(ok(segment));
    await table.write(discardWrite(keys.segment(property, id)));
    return done(replaced);
  });
};

interface Succession {
  readonly old: number;
  readonly id: number;
  readonly referents: readonly Referent[];
}

/** Commits a pending successor; returns the segment that it replaced. */
const commitSuccessor = async (
  deps: ReferenceDeps,
  property: number,
  { old, id, referents }: Succession,
): Promise<Result<CustomSegment, DeletedReferents | CustomRefusal>> => {
  const { table, pause } = deps;
  const key = keys.segment(property, old);
  const retry = { pause, what: 'segments: a segment to be replaced' };
  return retryOnConflict<Result<CustomSegment, DeletedReferents | CustomRefusal>>(retry, async () => {
    // Read before the referents are touched: a later deletion of a referent touches this item, and the write is refused.
    const seen = await readCurrentCustom(table, property, old);
    if (!seen.ok) return done(seen);
    const deletedReferents = await touchReferents(deps, property, referents);
    if (deletedReferents.length > 0) return done(err({ deleted: deletedReferents }));
    const { item, segment } = seen.value;
    const outcome = await table.write(replaceWrite(item, id));
    // A write whose answer was lost counts as refused when another writer has touched the item since.
    if (outcome === 'refused' && (await table.get(key))?.['replaced_by'] !== id) return 'conflict';
    // From now on readers of the successor need not read the old segment.
    await table.write(commitWrite(keys.segment(property, id)));
    return done(ok(segment));
  });
};

/** Deletes a custom segment that no referrer names. */
export const removeCustomSegment = async (
  deps: DeleteDeps,
  property: number,
  id: number,
): Promise<Result<undefined, CustomRefusal | InUse>> => {
  const { table } = deps;
  const referent: Referent = { kind: 'segment', id };
  const read = () => readCurrentCustom(table, property, id);
  const deleted = await deleteUnreferenced(deps, property, referent, { read });
  if (!deleted.ok) return deleted;
  await retireCustomSegment(table, property, deleted.value.segment);
  await purgeDeleted(table, property, referent);
  await releaseCustomQuota(deps, property, id);
  return ok(undefined);
};
