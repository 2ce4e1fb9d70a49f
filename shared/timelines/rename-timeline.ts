import type { ApiAnswer, NoQuery, UseCase } from '../http/api-types.ts';
import { notFound } from '../http/not-found.ts';
import type { Problem } from '../http/problem.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Pause } from '../runtime/pause.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';
import type { Table, Write } from '../table/table.ts';
import { readTimeline } from './read-items.ts';
import type { RenameBody } from './schemas.ts';
import { updateTimeline } from './timeline-items.ts';
import { duplicateName, freeName, isSameName, takeName } from './timeline-names.ts';
import { timelineFactsView } from './views.ts';

export interface RenameTimelineDeps {
  readonly table: Table;
  readonly clock: Clock;
  readonly pause: Pause;
}

/**
 * `PUT timelines/{timeline_id}`: renames a timeline, in one transaction with the items of both names. Moments keep their
 * names. 409 for the name of another timeline.
 */
export const renameTimeline: UseCase<RenameTimelineDeps, NoQuery, RenameBody> = async (
  deps,
  { property, path, body: { name } },
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
    return done(ok({ status: 200, body: timelineFactsView({ ...timeline, name }) }));
  });
};
