import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import { requestCause } from '../edge/request-cause.ts';
import { problems, type Problem, type ProblemError } from '../http/problem.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { manyRounds, nextRound } from '../runtime/retry.ts';
import { scheduleFaults } from '../schedules/check-schedule.ts';
import type { Schedule } from '../schedules/schedule.ts';
import { shortestGap, timetableOf } from '../schedules/timetable.ts';
import { newSegmentId } from '../catalogue/segment-items.ts';
import { referentsAmong } from '../catalogue/custom-items.ts';
import { allocateIdOnce, allocatedId, type RequestKey } from '../table/idempotent-ids.ts';
import { keys } from '../table/keys.ts';
import { scopedId } from '../table/scoped-ids.ts';
import { addReferences, removeReferences, touchReferents, type Referent } from '../references/references.ts';
import { timelineView } from './views.ts';
import { momentName, momentSet, type Moment, type Timeline } from './timeline-items.ts';
import { makeMoment, LeaseLost, type MakeDeps } from './make-moment.ts';
import { isCommitted, finalizeMoment } from './moment-steps.ts';
import {
  claimName,
  releaseName,
  renewNameClaim,
  finalizeName,
  duplicateName,
  type NameDeps,
  type NameConflict,
} from './timeline-names.ts';
import { momentsFrom, readTimeline } from './read-items.ts';
import { scheduleNext } from './add-scheduled-moments.ts';
import { leaseRenewal } from './lease-renewal.ts';
import type { TimelineBody } from './schemas.ts';

/** What creating timelines needs. `baseUrl` is the configured address of the service. */
export interface CreateTimelineDeps extends MakeDeps, NameDeps {
  readonly baseUrl: string;
  /** Least time between two moments of a timeline, in milliseconds. */
  readonly intervalMs: number;
}
type Request = ApiRequest<unknown, TimelineBody>;

/**
 * `POST timelines`: a timeline with its first moment; it is there when its item is. 409 for a name that another has, 422 for
 * a segment that is unknown, or is deleted before the timeline is there. A repeated request under one `Idempotency-Key` is
 * answered with the timeline that the first has made.
 */
export const createTimeline = async (
  deps: CreateTimelineDeps,
  request: Request,
): Promise<Result<ApiAnswer, Problem>> => {
  const { property, body } = request;
  const before = await findMadeTimeline(deps, requestCause(request));
  if (before) return ok(await answerOf(deps, property.id, before));
  const faults = body.schedule === null ? [] : momentScheduleFaults(deps, body.schedule);
  if (faults.length > 0) return err(problems.invalid(faults));
  const tracked = (await deps.catalogue.getMany(property.id, [body.reference_tile])).get(body.reference_tile);
  if (!tracked) return err(unknownSegment);
  const things = referentsAmong([tracked]);
  for (let round = 0; ; round += 1) {
    await nextRound(deps.pause, round, manyRounds, 'timelines: a new timeline');
    const made = await makeTimeline(deps, request, things, round);
    if (made === 'overtaken') continue;
    if (made.ok) return ok(await answerOf(deps, property.id, made.value));
    return err(made.error === 'gone' ? unknownSegment : duplicateName(made.error));
  }
};

const answerOf = async (
  deps: CreateTimelineDeps,
  property: number,
  timeline: Timeline,
): Promise<ApiAnswer> => {
  const first = await readFirstMoment(deps, property, timeline);
  return { status: 201, body: timelineView(deps.baseUrl, property, timeline, [first]) };
};

/** The timeline that a cause has made, when it is still there. */
const findMadeTimeline = async (
  { table }: CreateTimelineDeps,
  cause: RequestKey,
): Promise<Timeline | undefined> => {
  for (let attempt = 0; ; attempt += 1) {
    const id = await allocatedId(table, cause, idName(attempt));
    if (id === undefined) return undefined;
    const timeline = await readTimeline(table, cause.property, id);
    if (timeline) return timeline;
  }
};

/** What a timeline is called among the things of its cause; attempts under other ids are told apart. */
const idName = (attempt: number): string => `timeline#${attempt}`;

const unknownSegment = problems.unknownReference('/reference_tile');

type MakeResult = Result<Timeline, NameConflict | 'gone'> | 'overtaken';

/** Faults of a schedule of moments, which may not come more often than one asked for. */
const momentScheduleFaults = (
  { clock, intervalMs }: CreateTimelineDeps,
  schedule: Schedule,
): readonly ProblemError[] => {
  const faults = scheduleFaults(schedule, clock());
  if (faults.length > 0 || schedule.once === true) return faults;
  if (shortestGap(timetableOf(schedule)) * 60_000 >= intervalMs) return [];
  const detail = 'Must not run more often than moments may come.';
  return [{ pointer: '/schedule', code: 'too_frequent', detail }];
};

/** One try to make a timeline, under an id of its own. */
const makeTimeline = async (
  deps: CreateTimelineDeps,
  request: Request,
  things: readonly Referent[],
  attempt: number,
): Promise<MakeResult> => {
  const { table } = deps;
  const { property, body } = request;
  const id = await allocateIdOnce(table, requestCause(request), idName(attempt), async () =>
    scopedId(property.id, await table.increment(keys.counter(property.id, 'timeline'), 1)),
  );
  const wish = { property: property.id, timeline: id, name: body.name };
  const claimed = await claimName(deps, wish);
  if (!claimed.ok) return claimed;
  const user = { kind: 'timeline', id } as const;
  await addReferences(deps, property.id, { referrer: user, referents: things });
  if ((await touchReferents(deps, property.id, things)).length > 0) {
    await releaseName(table, wish);
    return err('gone');
  }
  await makeFirstMoment(deps, request, id);
  // Made by this try, or by another one of the same cause.
  const timeline = await readTimeline(table, property.id, id);
  if (timeline) {
    await finalizeName(table, wish);
    return ok(timeline);
  }
  await removeReferences(deps, property.id, user, things);
  await releaseName(table, wish);
  return 'overtaken';
};

/** Makes the first moment and, by one write with it, the timeline, unless somebody has taken the place of its id. */
const makeFirstMoment = async (
  deps: CreateTimelineDeps,
  { property, body, user }: Request,
  id: number,
): Promise<void> => {
  const { table, clock } = deps;
  const { name, reference_tile, comments, schedule } = body;
  const segment = await newSegmentId(table, property.id);
  const since = clock();
  const made = { created: since, created_by: { ...user } };
  const called = momentName(name, since);
  const moment: Moment = { ...made, segment, previous: null, name: called, comments };
  const ref = { property: property.id, timeline: id, segment };
  const facts = { ...made, id, name, reference_tile, schedule: schedule && { ...schedule } };
  const set = { ...facts, renaming: null, latest: momentSet(moment), lease_segment: null, lease_until: 0 };
  if (schedule) await scheduleNext(table, { property: property.id, timeline: id }, schedule, since);
  const claim = leaseRenewal({ clock, since }, async (until) => {
    if (!(await renewNameClaim(table, { ...ref, name }, until))) throw new LeaseLost();
  });
  const key = keys.timeline(property.id, id);
  const draft = { ref, reference_tile, moment, since, renewLease: claim.renew };
  const isMade = await makeMoment(deps, draft, async () => {
    const outcome = await table.write({ kind: 'insert', key, set });
    return outcome === 'applied' || isCommitted(table, ref);
  });
  if (isMade) await finalizeMoment(table, ref, moment);
};

/** The first moment of a timeline that was just made. It may have got others since, when the request is a repeated one. */
const readFirstMoment = async (
  { table }: CreateTimelineDeps,
  property: number,
  timeline: Timeline,
): Promise<Moment> => {
  if (timeline.latest.previous === null) return timeline.latest;
  const { moments } = await momentsFrom(table, property, timeline, { limit: 1 });
  return moments[0] ?? timeline.latest;
};
