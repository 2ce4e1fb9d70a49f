import type { UseCase } from '../http/api-types.ts';
import { notFound } from '../http/not-found.ts';
import { err, ok } from '../runtime/result.ts';
import { countMoments, type CountDeps } from './count-moments.ts';
import { readMoments, readTimeline } from './read-items.ts';
import { momentView } from './views.ts';

/** `GET timelines/{timeline_id}/moments/{moment_id}`: one moment with its counts. 404 for a moment of another timeline. */
export const getMoment: UseCase<CountDeps & { readonly baseUrl: string }> = async (
  deps,
  { property, path },
) => {
  const timeline = await readTimeline(deps.table, property.id, Number(path['timeline_id']));
  const segments = [Number(path['moment_id'])];
  const [moment] = timeline ? await readMoments(deps.table, property.id, timeline, segments) : [];
  if (!moment) return err(notFound('moment', { property, path }));
  const [counts] = await countMoments(deps, property.id, [moment]);
  return ok({ status: 200, body: { ...momentView(deps.baseUrl, property.id, moment), ...counts } });
};
