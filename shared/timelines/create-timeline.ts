/** Create timeline: claims a name, makes the first moment of a segment, and commits both as a timeline. */
import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import { requestIdentityOf } from '../edge/request-identity.ts';
import { problems, unknownReference, type Problem, type ProblemError } from '../http/problem.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { done, retryOnConflict, type Attempted } from '../runtime/retry.ts';
import { scheduleFaults } from '../schedules/check-schedule.ts';
import type { Schedule } from '../schedules/schedule.ts';
import { shortestGap, timetableOf } from '../schedules/timetable.ts';
import { newSegmentId } from '../catalogue/segment-items.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { resolveRefs } from '../catalogue/segment-refs.ts';
import { referentsAmong } from '../catalogue/custom-items.ts';
import { allocateIdOnce, allocatedId, type RequestIdentity } from '../table/idempotent-ids.ts';
import { keys } from '../table/keys.ts';
import { scopedId } from '../table/scoped-ids.ts';
import { addReferences, removeReferences, touchReferents, type Referent } from '../references/references.ts';
import { timelineView } from './views.ts';
import { momentName, momentSet, type Moment, type Timeline } from './timeline-items.ts';
import { makeMoment, MomentAbandoned, type MakeDeps } from './make-moment.ts';
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

export interface CreateTimelineDeps extends MakeDeps, NameDeps {
  /** The configured address of the service. */
  readonly baseUrl: string;
  readonly catalogue: Pick<SegmentCatalogue, 'find' | 'getMany'>;
  /** Least time between two moments of a timeline, in milliseconds. */
  readonly intervalMs: number;
}
type Request = ApiRequest<unknown, TimelineBody>;
type ResolvedRequest = ApiRequest<unknown, TimelineBody & { readonly reference_tile: number }>;

/**
 * `POST timelines`: creates a timeline with its first moment; the write of the timeline's item commits both. 409 for
 * the name of another timeline, 422 for a segment that is unknown or was deleted meanwhile. A repeated request with the
 * same `Idempotency-Key` gets the timeline that the first request made.
 */
export const createTimeline = async (
  deps: CreateTimelineDeps,
  request: Request,
): Promise<Result<ApiAnswer, Problem>> => {
  const { property, body } = request;
  const before = await findMadeTimeline(deps, requestIdentityOf(request));
  if (before) return ok(await answerOf(deps, property.id, before));
  const faults = body.schedule === null ? [] : momentScheduleFaults(deps, body.schedule);
  const placed = { ref: body.reference_tile, path: ['reference_tile'] };
  const resolved = await resolveRefs(deps.catalogue, property.id, [placed]);
  if (!resolved.ok) return err(problems.invalid([...faults, ...resolved.error]));
  const [reference_tile = 0] = resolved.value;
  const tracked = (await deps.catalogue.getMany(property.id, [reference_tile])).get(reference_tile);
  const unknown = unknownReference('/reference_tile', { kind: 'segment', id: reference_tile });
  const all = [...faults, ...(tracked ? [] : [unknown])];
  if (!tracked || all.length > 0) return err(problems.invalid(all));
  const named = { ...request, body: { ...body, reference_tile } };
  const referents = referentsAmong([tracked]);
  const made = await retryOnConflict({ pause: deps.pause, what: 'timelines: a new timeline' }, (round) =>
    makeTimeline(deps, named, referents, round),
  );
  if (made.ok) return ok(await answerOf(deps, property.id, made.value));
  return err(made.error === 'segment_deleted' ? problems.invalid([unknown]) : duplicateName(made.error));
};

const answerOf = async (
  deps: CreateTimelineDeps,
  property: number,
  timeline: Timeline,
): Promise<ApiAnswer> => {
  const first = await readFirstMoment(deps, property, timeline);
  return { status: 201, body: timelineView(deps.baseUrl, property, timeline, [first]) };
};

/** The timeline that an earlier attempt of the request made, unless it was deleted since. */
const findMadeTimeline = async (
  { table }: CreateTimelineDeps,
  requestIdentity: RequestIdentity,
): Promise<Timeline | undefined> => {
  for (let round = 0; ; round += 1) {
    const id = await allocatedId(table, requestIdentity, idName(round));
    if (id === undefined) return undefined;
    const timeline = await readTimeline(table, requestIdentity.property, id);
    if (timeline) return timeline;
  }
};

/** Name of the timeline among the ids of a request. Each round has an id of its own. */
const idName = (round: number): string => `timeline#${round}`;

type MakeResult = Result<Timeline, NameConflict | 'segment_deleted'>;

/** Faults of a schedule of moments. Scheduled moments may not come more often than requested moments. */
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

/** One attempt to make a timeline, under an id of its own. */
const makeTimeline = async (
  deps: CreateTimelineDeps,
  request: ResolvedRequest,
  referents: readonly Referent[],
  round: number,
): Promise<Attempted<MakeResult>> => {
  const { table } = deps;
  const { property, body } = request;
  const id = await allocateIdOnce(table, requestIdentityOf(request), idName(round), async () =>
    scopedId(property.id, await table.increment(keys.counter(property.id, 'timeline'), 1)),
  );
  const named = { property: property.id, timeline: id, name: body.name };
  const claimed = await claimName(deps, named);
  if (!claimed.ok) return done(claimed);
  const referrer = { kind: 'timeline', id } as const;
  await addReferences(deps, property.id, { referrer, referents });
  if ((await touchReferents(deps, property.id, referents)).length > 0) {
    await releaseName(table, named);
    return done(err('segment_deleted'));
  }
  await makeFirstMoment(deps, request, id);
  // This attempt made the timeline, or another attempt of the same request.
  const timeline = await readTimeline(table, property.id, id);
  if (timeline) {
    await finalizeName(table, named);
    return done(ok(timeline));
  }
  await removeReferences(deps, property.id, referrer, referents);
  await releaseName(table, named);
  return 'conflict';
};

/**
 * Makes the first moment, and commits it with the timeline in one write, unless another writer has occupied the id of
 * the timeline.
 */
const makeFirstMoment = async (
  deps: CreateTimelineDeps,
  { property, body, user }: ResolvedRequest,
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
  const set = {
    ...facts,
    chart_links: 0,
    renaming: null,
    latest: momentSet(moment),
    lease_segment: null,
    lease_until: 0,
  };
  if (schedule) await scheduleNext(table, { property: property.id, timeline: id }, schedule, since);
  const claim = leaseRenewal({ clock, since }, async (until) => {
    if (!(await renewNameClaim(table, { ...ref, name }, until))) throw new MomentAbandoned();
  });
  const key = keys.timeline(property.id, id);
  const draft = { ref, reference_tile, moment, since, renewLease: claim.renew };
  const isMade = await makeMoment(deps, draft, async () => {
    const outcome = await table.write({ kind: 'insert', key, set });
    return outcome === 'applied' || isCommitted(table, ref);
  });
  if (isMade) await finalizeMoment(table, ref, moment);
};

/** The first moment of a timeline. A repeated request may find a timeline with later moments. */
const readFirstMoment = async (
  { table }: CreateTimelineDeps,
  property: number,
  timeline: Timeline,
): Promise<Moment> => {
  if (timeline.latest.previous === null) return timeline.latest;
  const { items: moments } = await momentsFrom(table, property, timeline, { limit: 1 });
  return moments[0] ?? timeline.latest;
};
