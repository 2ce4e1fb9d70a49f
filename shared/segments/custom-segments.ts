import { err, ok, type Result } from '../runtime/result.ts';
import { manyRounds, nextRound } from '../runtime/retry.ts';
import { allocateIdOnce, type RequestKey } from '../table/idempotent-ids.ts';
import { keys } from '../table/keys.ts';
import { commitWrite, discardWrite, replaceWrite } from '../references/lifecycle.ts';
import { deleteUnreferenced, purgeDeleted, type DeleteDeps } from '../references/delete-unreferenced.ts';
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

/** A custom segment to be made, and the custom segments that its definition names. */
export interface NewCustom {
  readonly draft: CustomDraft;
  readonly referents: readonly Referent[];
}

/** A custom segment to be made, and what brings it about when that may be told again. */
export interface CausedCustom extends NewCustom {
  readonly cause?: RequestKey;
}

/** Segments that a definition names and that were deleted before it was stored. */
export interface DeletedReferents {
  readonly deleted: readonly Referent[];
}

/** Makes a custom segment: it is there when its item is. A cause that is told again gets the segment that it has made. */
export const addCustomSegment = async (
  deps: ReferenceDeps,
  property: number,
  { draft, referents, cause }: CausedCustom,
): Promise<Result<CustomSegment, DeletedReferents | 'segment_limit'>> => {
  const { table, pause } = deps;
  const next = () => newSegmentId(table, property);
  for (let round = 0; ; round += 1) {
    await nextRound(pause, round, manyRounds, 'segments: a new segment');
    const id = cause ? await allocateIdOnce(table, cause, `segment#${round}`, next) : await next();
    const made = cause?.again === true ? await readCustomSegment(table, property, id) : undefined;
    if (made) return ok(made);
    if (!(await reserveCustomQuota(deps, property, id))) return err('segment_limit');
    const segment = customSegmentOf(id, draft, null);
    await addReferences(deps, property, { referrer: { kind: 'segment', id }, referents });
    const deletedReferents = await touchReferents(deps, property, referents);
    const isStored =
      deletedReferents.length === 0 && (await storeCustomSegment(table, property, segment, null));
    if (isStored) return ok(segment);
    await releaseCustomQuota(deps, property, id);
    if (deletedReferents.length > 0) return err({ deleted: deletedReferents });
    // Whoever deletes something that is named has taken the place: whether it is deletedReferents now, the next look says.
  }
};

/**
 * Makes a custom segment in the place of another. One write decides: that in which the old one names its successor, which
 * is there from then on. It takes over the room of the old one, which is no longer listed.
 */
export const replaceCustomSegment = async (
  deps: ReferenceDeps,
  property: number,
  old: number,
  { draft, referents }: NewCustom,
): Promise<Result<CustomSegment, DeletedReferents | CustomRefusal>> => {
  const { table, pause } = deps;
  // What is replaced is never deleted: a successor that names it need not use it.
  const others = referents.filter(({ id }) => id !== old);
  for (let round = 0; ; round += 1) {
    await nextRound(pause, round, manyRounds, 'segments: the successor of a segment');
    const id = await newSegmentId(table, property);
    await addReferences(deps, property, { referrer: { kind: 'segment', id }, referents: others });
    const segment = customSegmentOf(id, draft, null);
    if (!(await storeCustomSegment(table, property, segment, old))) continue;
    const replaced = await putInPlace(deps, property, { old, id, referents: others });
    await retireCustomSegment(table, property, replaced.ok ? replaced.value : segment);
    if (replaced.ok) return ok(segment);
    await table.write(discardWrite(keys.segment(property, id)));
    return replaced;
  }
};

interface Succession {
  readonly old: number;
  readonly id: number;
  readonly referents: readonly Referent[];
}

/** Lets a successor that is pending take the place; answers what was replaced. */
const putInPlace = async (
  deps: ReferenceDeps,
  property: number,
  { old, id, referents }: Succession,
): Promise<Result<CustomSegment, DeletedReferents | CustomRefusal>> => {
  const { table, pause } = deps;
  const key = keys.segment(property, old);
  for (let round = 0; ; round += 1) {
    await nextRound(pause, round, manyRounds, 'segments: a segment to be replaced');
    // Read before the referents are touched: whoever deletes one of them touches it after that, and the write is refused.
    const seen = await readCurrentCustom(table, property, old);
    if (!seen.ok) return seen;
    const deletedReferents = await touchReferents(deps, property, referents);
    if (deletedReferents.length > 0) return err({ deleted: deletedReferents });
    const { item, segment } = seen.value;
    const outcome = await table.write(replaceWrite(item, id));
    // A write whose answer was lost counts as refused when the item has been touched since.
    if (outcome === 'refused' && (await table.get(key))?.['replaced_by'] !== id) continue;
    // The old one need not be looked at any more to know that this one has come.
    await table.write(commitWrite(keys.segment(property, id)));
    return ok(segment);
  }
};

/** Deletes a custom segment that nothing uses. */
export const removeCustomSegment = async (
  deps: DeleteDeps,
  property: number,
  id: number,
): Promise<Result<undefined, CustomRefusal | 'in_use'>> => {
  const { table } = deps;
  const thing: Referent = { kind: 'segment', id };
  const deleted = await deleteUnreferenced(deps, property, thing, () =>
    readCurrentCustom(table, property, id),
  );
  if (!deleted.ok) return deleted;
  await retireCustomSegment(table, property, deleted.value.segment);
  await purgeDeleted(table, property, thing);
  await releaseCustomQuota(deps, property, id);
  return ok(undefined);
};
