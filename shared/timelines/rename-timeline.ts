/** Rename timeline: moves a timeline to another name, under a claim on that name. */
import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import { notFound } from '../http/not-found.ts';
import type { Problem } from '../http/problem.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { done, retryOnConflict, type Attempted } from '../runtime/retry.ts';
import { keys } from '../table/keys.ts';
import { timelineFactsView } from './views.ts';
import type { Timeline } from './timeline-items.ts';
import {
  claimName,
  releaseClaim,
  releaseName,
  hasSameName,
  readClaim,
  finalizeName,
  duplicateName,
  type NameDeps,
} from './timeline-names.ts';
import { readTimeline } from './read-items.ts';
import type { RenameBody } from './schemas.ts';

type Answer = Result<ApiAnswer, Problem>;

/**
 * `PUT timelines/{timeline_id}`: renames a timeline. One write decides: the timeline gets the name, on condition that
 * `renaming` still names this attempt. The claim on the new name is made before that write, and the claim on the old
 * name is released after it. Moments keep their names. 409 for the name of another timeline.
 */
export const renameTimeline = async (
  deps: NameDeps,
  { property, path, body, requestKey }: ApiRequest<unknown, RenameBody>,
): Promise<Answer> => {
  const id = Number(path['timeline_id']);
  return retryOnConflict(
    { pause: deps.pause, what: 'timelines: a timeline to be renamed' },
    async (round) => {
      const timeline = await readTimeline(deps.table, property.id, id);
      if (!timeline) return done(err(notFound('timeline', { property, path })));
      return tryRename(deps, timeline, {
        property: property.id,
        name: body.name,
        by: `${requestKey}#${round}`,
      });
    },
  );
};

interface RenameAttempt {
  readonly property: number;
  readonly name: string;
  /** Identifies this attempt. */
  readonly by: string;
}

const tryRename = async (
  deps: NameDeps,
  timeline: Timeline,
  attempt: RenameAttempt,
): Promise<Attempted<Answer>> => {
  const { table } = deps;
  const { property, name, by } = attempt;
  const { id, w, name: old } = timeline;
  const key = keys.timeline(property, id);
  const renamed: Attempted<Answer> = done(
    ok({ status: 200, body: timelineFactsView({ ...timeline, name }) }),
  );
  if (name === old) return renamed;
  if (hasSameName(timeline, name)) {
    const written = await table.write({ kind: 'update', key, set: { name }, expect: { w } });
    return written === 'applied' ? renamed : 'conflict';
  }
  const begun = await table.write({ kind: 'update', key, set: { renaming: by }, expect: { w } });
  if (begun === 'refused') return 'conflict';
  // Read before the name changes: if the timeline got its old name back meanwhile, the claim would have a new version.
  const claim = await readClaim(table, property, old);
  const claimed = await claimName(deps, { property, timeline: id, name });
  if (!claimed.ok) {
    await table.write({ kind: 'update', key, set: { renaming: null }, expect: { renaming: by } });
    return done(err(duplicateName(claimed.error)));
  }
  const set = { name, renaming: null };
  const outcome = await table.write({ kind: 'update', key, set, expect: { renaming: by } });
  if (outcome === 'refused' && !(await hasName(deps, attempt, id))) return 'conflict';
  if (claim?.timeline === id) await releaseClaim(table, property, old, claim);
  await finalizeName(table, { property, timeline: id, name });
  return renamed;
};

/**
 * Whether a refused write renamed the timeline after all, because its answer was lost. Releases the name of a deleted
 * timeline.
 */
const hasName = async (
  { table }: NameDeps,
  { property, name }: RenameAttempt,
  id: number,
): Promise<boolean> => {
  const timeline = await readTimeline(table, property, id);
  if (!timeline) await releaseName(table, { property, timeline: id, name });
  return timeline?.name === name;
};
