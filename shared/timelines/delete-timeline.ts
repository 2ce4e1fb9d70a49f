/** Delete timeline: marks a timeline as deleted, then removes its name, its reference and its items. */
import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import { notFound } from '../http/not-found.ts';
import type { Problem } from '../http/problem.ts';
import type { Pause } from '../runtime/pause.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { deleteWrite, purgeWrite } from '../references/lifecycle.ts';
import { removeReferences } from '../references/references.ts';
import type { Timeline } from './timeline-items.ts';
import { finalizeMoment } from './moment-steps.ts';
import { releaseName } from './timeline-names.ts';
import { readTimeline } from './read-items.ts';
import { pagesOf } from '../runtime/pages.ts';

export interface DeleteTimelineDeps {
  readonly table: Table;
  readonly pause: Pause;
}

/**
 * `DELETE timelines/{timeline_id}`: deletes the timeline, releases its name and removes its reference to the tracked
 * segment. Its moments stay, because they are segments that other segments may reference.
 */
export const deleteTimeline = async (
  { table, pause }: DeleteTimelineDeps,
  { property, path }: ApiRequest<unknown, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const id = Number(path['timeline_id']);
  const key = keys.timeline(property.id, id);
  return retryOnConflict<Result<ApiAnswer, Problem>>(
    { pause, what: 'timelines: a timeline to be deleted' },
    async () => {
      const timeline = await readTimeline(table, property.id, id);
      if (!timeline) return done(err(notFound('timeline', { property, path })));
      // A deleted timeline no longer shows that its newest moment is committed.
      await finalizeMoment(table, { property: property.id, timeline: id }, timeline.latest);
      const fences = { lease_segment: null, renaming: null };
      const outcome = await table.write(deleteWrite(key, timeline.w, fences));
      if (outcome === 'refused') return 'conflict';
      await removeLeftovers(table, property.id, timeline);
      return done(ok({ status: 200, body: { id } }));
    },
  );
};

/** Removes the leftovers of a timeline that is marked as deleted. */
const removeLeftovers = async (
  table: Table,
  property: number,
  { id, name, reference_tile }: Timeline,
): Promise<void> => {
  await releaseName(table, { property, timeline: id, name });
  const segment = { kind: 'segment', id: reference_tile } as const;
  await removeReferences({ table }, property, { kind: 'timeline', id }, [segment]);
  const { pk } = keys.timelineMoment(property, id, 0);
  for await (const moments of pagesOf((after) => table.query(pk, { limit: MOMENTS_AT_ONCE, after })))
    await table.writeMany(moments.map(({ sk }) => ({ kind: 'delete', key: { pk, sk }, expect: {} })));
  await table.write(purgeWrite(keys.timeline(property, id)));
};

/** Moments removed at once. */
const MOMENTS_AT_ONCE = 1_000;
