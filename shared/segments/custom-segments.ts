/** Custom segments: creates, replaces and deletes them, with their references and their quota. */
import { err, ok, type Result } from '../runtime/result.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';
import { idWrites, readAllocatedId, type RequestIdentity } from '../table/idempotent-ids.ts';
import { replaceWrite } from '../references/lifecycle.ts';
import {
  deleteUnreferenced,
  purgeDeleted,
  type DeleteDeps,
  type InUse,
} from '../references/delete-unreferenced.ts';
import {
  referenceWrites,
  type DeletedReferents,
  type Referent,
  type ReferenceDeps,
} from '../references/references.ts';
import { customSegmentOf, customWrite, type CustomDraft } from '../catalogue/custom-items.ts';
import type { CustomSegment } from '../catalogue/identity.ts';
import {
  customQuotaWrites,
  dropReferences,
  finderWrites,
  readCurrentCustom,
  readCustomSegment,
  type CustomRefusal,
} from './custom-steps.ts';
import { newSegmentId } from '../catalogue/segment-items.ts';

/** A new custom segment, and the custom segments that its definition names. */
export interface NewCustom {
  readonly draft: CustomDraft;
  readonly referents: readonly Referent[];
}

/** A new custom segment, and the request that creates it. */
export interface NewCustomRequest extends NewCustom {
  readonly requestIdentity: RequestIdentity;
}

/**
 * Creates a custom segment, in one transaction with its references, its quota and the id of its request. A repeated request
 * gets the segment that it created the first time.
 */
export const addCustomSegment = async (
  deps: ReferenceDeps,
  property: number,
  { draft, referents, requestIdentity }: NewCustomRequest,
): Promise<Result<CustomSegment, DeletedReferents | 'segment_limit'>> => {
  const { table, pause } = deps;
  const retry = { pause, what: 'segments: a new segment' };
  const id = await newSegmentId(table, property);
  const segment = customSegmentOf(id, draft, null);
  return retryOnConflict<Result<CustomSegment, DeletedReferents | 'segment_limit'>>(retry, async () => {
    const seen = await readAllocatedId(table, requestIdentity, SEGMENT);
    const made = seen && (await readCustomSegment(table, property, seen.id));
    if (made) return done(ok(made));
    const counted = await customQuotaWrites(table, property, 1);
    if (!counted) return done(err('segment_limit'));
    const referrer = { kind: 'segment', id } as const;
    const referenced = await referenceWrites(deps, property, { referrer, referents, now: draft.created });
    if (!referenced.ok) return done(referenced);
    const refused = await table.transact([
      customWrite(property, segment),
      ...finderWrites(property, segment, 'insert'),
      ...counted,
      ...referenced.value,
      ...idWrites(requestIdentity, { what: SEGMENT, id, seen }),
    ]);
    return refused.length === 0 ? done(ok(segment)) : 'conflict';
  });
};

/** Name of the segment among the ids of a request, as release 0.2.0 has it. */
const SEGMENT = 'segment#0';

/**
 * Replaces a custom segment by a successor, in one transaction: the old segment names the successor, and gives it its place
 * in lists and its quota.
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
  const id = await newSegmentId(table, property);
  const segment = customSegmentOf(id, draft, null);
  const referrer = { kind: 'segment', id } as const;
  const retry = { pause, what: 'segments: the successor of a segment' };
  return retryOnConflict<Result<CustomSegment, DeletedReferents | CustomRefusal>>(retry, async () => {
    const seen = await readCurrentCustom(table, property, old);
    if (!seen.ok) return done(seen);
    const naming = { referrer, referents: others, now: draft.created };
    const referenced = await referenceWrites(deps, property, naming);
    if (!referenced.ok) return done(referenced);
    const refused = await table.transact([
      replaceWrite(seen.value.item, id, draft.created),
      ...finderWrites(property, seen.value.segment, 'delete'),
      customWrite(property, segment),
      ...finderWrites(property, segment, 'insert'),
      ...referenced.value,
    ]);
    if (refused.length > 0) return 'conflict';
    await dropReferences(table, property, seen.value.segment);
    return done(ok(segment));
  });
};

/** Deletes a custom segment that no referrer names. */
export const removeCustomSegment = async (
  deps: DeleteDeps,
  property: number,
  id: number,
  now: number,
): Promise<Result<undefined, CustomRefusal | InUse>> => {
  const { table } = deps;
  const referent: Referent = { kind: 'segment', id };
  const deleted = await deleteUnreferenced(deps, property, referent, {
    now,
    read: () => readCurrentCustom(table, property, id),
    writes: async ({ segment }) => [
      ...finderWrites(property, segment, 'delete'),
      ...((await customQuotaWrites(table, property, -1)) ?? []),
    ],
  });
  if (!deleted.ok) return deleted;
  await dropReferences(table, property, deleted.value.segment);
  await purgeDeleted(table, property, referent);
  return ok(undefined);
};
