import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import { problems, type Problem } from '../http/problem.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { manyRounds, nextRound } from '../runtime/retry.ts';
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
 * `PUT timelines/{timeline_id}`: gives a timeline another name. One write decides: that in which the timeline gets the name,
 * while it says that this try may. The claim on the new name comes before it, that on the old name goes after it. Moments keep
 * the names that they were made under. 409 for a name that another timeline has.
 */
export const renameTimeline = async (
  deps: NameDeps,
  { property, path, body, requestKey: cause }: ApiRequest<unknown, RenameBody>,
): Promise<Answer> => {
  const id = Number(path['timeline_id']);
  for (let round = 0; ; round += 1) {
    await nextRound(deps.pause, round, manyRounds, 'timelines: a timeline to be renamed');
    const timeline = await readTimeline(deps.table, property.id, id);
    if (!timeline) return err(problems.notFound());
    const wish = { property: property.id, name: body.name, by: `${cause}#${round}` };
    const outcome = await tryRename(deps, timeline, wish);
    if (outcome !== 'again') return outcome;
  }
};

interface RenameRequest {
  readonly property: number;
  readonly name: string;
  /** This try, told from all others. */
  readonly by: string;
}

const tryRename = async (
  deps: NameDeps,
  timeline: Timeline,
  wish: RenameRequest,
): Promise<Answer | 'again'> => {
  const { table } = deps;
  const { property, name, by } = wish;
  const { id, w, name: old } = timeline;
  const key = keys.timeline(property, id);
  const renamed = ok({ status: 200, body: timelineFactsView({ ...timeline, name }) });
  if (name === old) return renamed;
  if (hasSameName(timeline, name)) {
    const written = await table.write({ kind: 'update', key, set: { name }, expect: { w } });
    return written === 'applied' ? renamed : 'again';
  }
  const begun = await table.write({ kind: 'update', key, set: { renaming: by }, expect: { w } });
  if (begun === 'refused') return 'again';
  // Read before the name changes: were the timeline to get it back, its claim would be written anew.
  const claim = await readClaim(table, property, old);
  const claimed = await claimName(deps, { property, timeline: id, name });
  if (!claimed.ok) {
    await table.write({ kind: 'update', key, set: { renaming: null }, expect: { renaming: by } });
    return err(duplicateName(claimed.error));
  }
  const set = { name, renaming: null };
  const outcome = await table.write({ kind: 'update', key, set, expect: { renaming: by } });
  if (outcome === 'refused' && !(await hasName(deps, wish, id))) return 'again';
  if (claim?.timeline === id) await releaseClaim(table, property, old, claim);
  await finalizeName(table, { property, timeline: id, name });
  return renamed;
};

/** Whether a timeline has got its name by a write that was told as refused. The name of a deleted one is given back. */
const hasName = async (
  { table }: NameDeps,
  { property, name }: RenameRequest,
  id: number,
): Promise<boolean> => {
  const timeline = await readTimeline(table, property, id);
  if (!timeline) await releaseName(table, { property, timeline: id, name });
  return timeline?.name === name;
};
