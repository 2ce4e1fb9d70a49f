/**
 * Emptied segments: the value segments that people left because of an undo. The undo stores the ids ahead of the writes
 * of the profiles, because a repeated range finds its people without the values. The undo removes a noted segment if it
 * has no member and no referrer, once the index shows all people.
 */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { deletedByUndo, readDeleted, findIds } from '../../catalogue/segment-ids.ts';
import type { DeleteDeps } from '../../references/delete-unreferenced.ts';
import { DAY_MS, ttlAt, type Clock } from '../../runtime/clock.ts';
import { mapLimited } from '../../runtime/pool.ts';
import { removeValueSegment } from '../../segments/remove-value-segment.ts';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { JobReference } from '../items/job-messages.ts';

interface NoteDeps {
  readonly table: Pick<Table, 'writeMany'>;
  readonly clock: Clock;
}

/** Notes segments that people of an undone job are about to leave. It stores each segment once per call of the step. */
export const emptiedSegments = ({ table, clock }: NoteDeps, { property, job }: JobReference) => {
  // At most as many as a property has segments.
  const noted = new Set<number>();
  return async (segments: readonly number[]): Promise<void> => {
    const fresh = segments.filter((segment) => !noted.has(segment));
    const ttl = ttlAt(clock() + limits.segments.deletedDays * DAY_MS);
    // An insert is refused when an earlier call has stored the segment.
    await table.writeMany(
      fresh.map((segment) => ({
        kind: 'insert',
        key: keys.emptiedSegment(property, job, segment),
        set: { segment, ttl },
      })),
    );
    for (const segment of fresh) noted.add(segment);
  };
};

const emptiedItem = v.object({ segment: v.number() });

export interface RemoveDeps extends DeleteDeps {
  readonly clock: Clock;
}

/** A range of noted segments. `last` is the last of them, or `null` when none is left; `removed` counts them. */
export interface RemovedRange {
  readonly last: number | null;
  readonly removed: number;
}

/**
 * Removes the next noted segments behind `after` that nobody is in and nobody uses. A repeated call counts the same: the
 * item of a removed segment names the job.
 */
export const removeEmptied = async (
  deps: RemoveDeps,
  reference: JobReference,
  after: number,
): Promise<RemovedRange> => {
  const { property, job } = reference;
  const { undoSegments: limit, undoSegmentsAtOnce } = limits.imports;
  const { pk, sk } = keys.emptiedSegment(property, job, after);
  const { items, next } = await deps.table.query(pk, { after: sk, limit });
  const ids = items.map((item) => v.parse(emptiedItem, item).segment);
  const removed = await mapLimited(ids, undoSegmentsAtOnce, async (id) => {
    await removeValueSegment(deps, property, id, { now: deps.clock(), undoneJob: job });
    return deletedByUndo(deps.table, property, id, job);
  });
  const others = ids.filter((_, index) => removed[index] !== true);
  const goesOn = (await passOn(deps, reference, others)) || next !== undefined;
  return { last: goesOn ? (ids.at(-1) ?? null) : null, removed: removed.filter(Boolean).length };
};

/**
 * Notes the segments that have the values of deleted ones now; returns whether there are any. The process that noted a
 * segment may have known it from before its deletion. Ids ascend, so the later segment has its look later.
 */
const passOn = async (
  deps: RemoveDeps,
  reference: JobReference,
  noted: readonly number[],
): Promise<boolean> => {
  const deleted = await readDeleted(deps.table, reference.property, noted);
  if (deleted.size === 0) return false;
  const identities = [...deleted.values()].map(({ identity }) => identity);
  const found = await findIds(deps.table, reference.property, identities);
  const current = [...found.values()].filter((id) => !deleted.has(id));
  await emptiedSegments(deps, reference)(current);
  return current.length > 0;
};
