/** Change timelines: the use cases that rename and delete timelines. */
import type { ApiAnswer, NoQuery, UseCase } from '../http/api-types.ts';
import { notFound } from '../http/not-found.ts';
import type { Problem } from '../http/problem.ts';
import { deleteWrite, purgeWrite } from '../references/lifecycle.ts';
import { removeReferences } from '../references/references.ts';
import type { Clock } from '../runtime/clock.ts';
import { pagesOf } from '../runtime/pages.ts';
import type { Pause } from '../runtime/pause.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';
import { keys } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';
import { taskWrite } from '../tasks/tasks.ts';
import { readTimeline } from './read-items.ts';
import type { RenameBody } from './schemas.ts';
import { ended, updateTimeline, type Timeline } from './timeline-items.ts';
import { duplicateName, freeName, isSameName, takeName } from './timeline-names.ts';
import { scheduleTask } from './timeline-schedule.ts';
import { timelineFactsView } from './views.ts';

export interface ChangeTimelineDeps {
  readonly table: Table;
  readonly clock: Clock;
  readonly pause: Pause;
}

/**
 * `PUT timelines/{timeline_id}`: renames a timeline, in one transaction with the items of both names. Moments keep their
 * names. 409 for the name of another timeline.
 */
export const renameTimeline: UseCase<ChangeTimelineDeps, NoQuery, RenameBody> = async (
  deps,
  { property, path, body: { name }, now },
) => {
  const { table, pause } = deps;
  const id = Number(path['timeline_id']);
  const retry = { pause, what: 'timelines: a timeline to be renamed' };
  return retryOnConflict<Result<ApiAnswer, Problem>>(retry, async () => {
    const timeline = await readTimeline(table, property.id, id);
    if (!timeline) return done(err(notFound('timeline', { property, path })));
    const naming = { property: property.id, timeline: id };
    const names: Write[] = [];
    if (!isSameName(timeline.name, name)) {
      const taken = await takeName(deps, { ...naming, name });
      if (!taken) return done(err(duplicateName()));
      names.push(taken, ...(await freeName(table, { ...naming, name: timeline.name })));
    }
    const refused = await table.transact([updateTimeline(property.id, timeline, { name }), ...names]);
    if (refused.length > 0) return 'conflict';
    return done(ok({ status: 200, body: timelineFactsView({ ...timeline, name }, now) }));
  });
};

/**
 * `DELETE timelines/{timeline_id}`: deletes the timeline, releases its name and removes its reference to the tracked
 * segment; its task removes its schedules. Its moments stay, because they are segments that other segments may reference.
 */
export const deleteTimeline: UseCase<ChangeTimelineDeps> = async (
  { table, pause },
  { property, path, now },
) => {
  const id = Number(path['timeline_id']);
  const key = keys.timeline(property.id, id);
  return retryOnConflict<Result<ApiAnswer, Problem>>(
    { pause, what: 'timelines: a timeline to be deleted' },
    async () => {
      const timeline = await readTimeline(table, property.id, id);
      if (!timeline) return done(err(notFound('timeline', { property, path })));
      const naming = { property: property.id, timeline: id, name: timeline.name };
      const mark = deleteWrite(key, timeline.w, ended);
      const task = scheduleTask(naming, { due: now, since: now });
      const tasks = timeline.schedule ? [await taskWrite(table, task)] : [];
      const refused = await table.transact([mark, ...(await freeName(table, naming)), ...tasks]);
      if (refused.length > 0) return 'conflict';
      await removeLeftovers(table, property.id, timeline);
      return done(ok({ status: 200, body: { id } }));
    },
  );
};

/** Removes the leftovers of a timeline that is marked as deleted. */
const removeLeftovers = async (
  table: Table,
  property: number,
  { id, reference_tile }: Timeline,
): Promise<void> => {
  const segment = { kind: 'segment', id: reference_tile } as const;
  await removeReferences({ table }, property, { kind: 'timeline', id }, [segment]);
  const { pk } = keys.timelineMoment(property, id, 0);
  for await (const moments of pagesOf((after) => table.query(pk, { limit: MOMENTS_AT_ONCE, after })))
    await table.writeMany(moments.map(({ sk }) => ({ kind: 'delete', key: { pk, sk }, expect: {} })));
  await table.write(purgeWrite(keys.timeline(property, id)));
};

/** Moments removed at once. */
const MOMENTS_AT_ONCE = 1_000;
