import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import { problems, type Problem } from '../http/problem.ts';
import type { Pause } from '../runtime/pause.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { manyRounds, nextRound } from '../runtime/retry.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { deleteWrite, purgeWrite } from '../references/lifecycle.ts';
import { removeReferences } from '../references/references.ts';
import type { Timeline } from './timeline-items.ts';
import { finalizeMoment } from './moment-steps.ts';
import { releaseName } from './timeline-names.ts';
import { readTimeline } from './read-items.ts';

/** What deleting timelines needs. */
export interface DeleteTimelineDeps {
  readonly table: Table;
  readonly pause: Pause;
}

/**
 * `DELETE timelines/{timeline_id}`: the timeline is gone, its name is free and its segment no longer in use. Its moments are
 * segments, which others may name: they stay.
 */
export const deleteTimeline = async (
  { table, pause }: DeleteTimelineDeps,
  { property, path }: ApiRequest<unknown, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const id = Number(path['timeline_id']);
  const key = keys.timeline(property.id, id);
  for (let round = 0; ; round += 1) {
    await nextRound(pause, round, manyRounds, 'timelines: a timeline to be deleted');
    const timeline = await readTimeline(table, property.id, id);
    if (!timeline) return err(problems.notFound());
    // Once the timeline is gone, it does not say any more that its newest moment has come.
    await finalizeMoment(table, { property: property.id, timeline: id }, timeline.latest);
    const fences = { lease_segment: null, renaming: null };
    const outcome = await table.write(deleteWrite(key, timeline.w, fences));
    if (outcome === 'refused') continue;
    await removeLeftovers(table, property.id, timeline);
    return ok({ status: 200, body: { id } });
  }
};

/** Removes what is left of a timeline that was marked. */
const removeLeftovers = async (
  table: Table,
  property: number,
  { id, name, reference_tile }: Timeline,
): Promise<void> => {
  await releaseName(table, { property, timeline: id, name });
  const segment = { kind: 'segment', id: reference_tile } as const;
  await removeReferences({ table }, property, { kind: 'timeline', id }, [segment]);
  const { pk } = keys.timelineMoment(property, id, 0);
  let after: string | undefined;
  do {
    const page = await table.query(pk, { limit: MOMENTS_AT_ONCE, ...(after === undefined ? {} : { after }) });
    await table.writeMany(page.items.map(({ sk }) => ({ kind: 'delete', key: { pk, sk }, expect: {} })));
    after = page.next;
  } while (after !== undefined);
  await table.write(purgeWrite(keys.timeline(property, id)));
};

/** Moments that are removed in one go. */
const MOMENTS_AT_ONCE = 1_000;
