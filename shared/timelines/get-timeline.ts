import type { UseCase } from '../http/api-types.ts';
import type { ListQuery } from '../http/list-schemas.ts';
import { showPage, type ListDeps } from '../http/listing.ts';
import { notFound } from '../http/not-found.ts';
import { err, ok } from '../runtime/result.ts';
import { keys } from '../table/keys.ts';
import { countMoments, type CountDeps } from './count-moments.ts';
import { timelinesPath } from './list-timelines.ts';
import { momentsFrom, readTimeline } from './read-items.ts';
import { momentView, timelineFactsView } from './views.ts';

/** `GET timelines/{timeline_id}`: the timeline with a page of its moments, from the first on, and their counts. */
export const getTimeline: UseCase<CountDeps & ListDeps, ListQuery> = async (deps, request) => {
  const { property, path } = request;
  const id = Number(path['timeline_id']);
  const timeline = await readTimeline(deps.table, property.id, id);
  if (!timeline) return err(notFound('timeline', { property, path }));
  const page = await showPage(deps, request, {
    path: `${timelinesPath(property.id)}/${id}`,
    read: (wanted) => momentsFrom(deps.table, property.id, timeline, wanted),
    positionOf: ({ segment }) => keys.timelineMoment(property.id, id, segment).sk,
    views: async (moments) => {
      // A request counts as many moments as its time allows.
      const counts = await countMoments(deps, property.id, moments);
      return moments
        .slice(0, counts.length)
        .map((moment, index) => ({ ...momentView(deps.baseUrl, property.id, moment), ...counts[index] }));
    },
  });
  if (!page.ok) return page;
  const { shown, next_page } = page.value;
  return ok({ status: 200, body: { ...timelineFactsView(timeline), moments: shown, paging: { next_page } } });
};
