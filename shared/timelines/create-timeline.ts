/** Create timeline: makes the first moment of a segment, and commits it with a new timeline. */
import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import { problems, unknownReference, type Problem, type ProblemError } from '../http/problem.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { done, retryOnConflict, type Attempted } from '../runtime/retry.ts';
import { scheduleFaults, shortestGap, timetableOf } from '../schedules/timetable.ts';
import type { Schedule } from '../schedules/schedule.ts';
import { newSegmentId } from '../catalogue/segment-items.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { resolveRefs } from '../catalogue/segment-refs.ts';
import { referentsAmong } from '../catalogue/identity.ts';
import { idWrites, readAllocatedId, requestIdentityOf, type AllocatedId } from '../table/idempotent-ids.ts';
import { keys } from '../table/keys.ts';
import { scopedId } from '../table/scoped-ids.ts';
import { referenceWrites, type Referent } from '../references/references.ts';
import { taskWrite } from '../tasks/tasks.ts';
import { timelineView } from './views.ts';
import { momentName, timelineSet, type Moment, type Timeline } from './timeline-items.ts';
import { makeMoment, type MakeDeps } from './make-moment.ts';
import type { Commit } from './moment-steps.ts';
import { duplicateName, takeName } from './timeline-names.ts';
import { momentsFrom, readTimeline } from './read-items.ts';
import { scheduleTask } from './timeline-schedule.ts';
import { MINUTE_MS, type Clock } from '../runtime/clock.ts';
import type { Write } from '../table/table.ts';
import type { TimelineBody } from './schemas.ts';

export interface CreateTimelineDeps extends MakeDeps {
  readonly clock: Clock;
  /** The configured address of the service. */
  readonly baseUrl: string;
  readonly catalogue: Pick<SegmentCatalogue, 'find' | 'getMany'>;
  /** Least time between two moments of a timeline, in milliseconds. */
  readonly intervalMs: number;
}
type Request = ApiRequest<unknown, TimelineBody>;
type ResolvedRequest = ApiRequest<unknown, TimelineBody & { readonly reference_tile: number }>;

/**
 * `POST timelines`: creates a timeline with its first moment, its name and its reference in one transaction. 409 for the
 * name of another timeline, 422 for a segment that is unknown or was deleted meanwhile. A repeated request with the
 * same `Idempotency-Key` gets the timeline that the first request made.
 */
export const createTimeline = async (
  deps: CreateTimelineDeps,
  request: Request,
): Promise<Result<ApiAnswer, Problem>> => {
  const { property, body } = request;
  const before = await findMadeTimeline(deps, request);
  if (before.timeline) return ok(await answerOf(deps, request, before.timeline));
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
  const retry = { pause: deps.pause, what: 'timelines: a new timeline' };
  const made = await retryOnConflict(retry, () => makeTimeline(deps, named, referents));
  if (made.ok) return ok(await answerOf(deps, request, made.value));
  return err(made.error === 'segment_deleted' ? problems.invalid([unknown]) : duplicateName());
};

const answerOf = async (
  deps: CreateTimelineDeps,
  { property, now }: Pick<ApiRequest<unknown, unknown>, 'property' | 'now'>,
  timeline: Timeline,
): Promise<ApiAnswer> => {
  const first = await readFirstMoment(deps, property.id, timeline);
  const look = { baseUrl: deps.baseUrl, property: property.id, now };
  return { status: 201, body: timelineView(look, timeline, [first]) };
};

/** The timeline that an earlier attempt of the request made, unless it was deleted since, and the id of that attempt. */
const findMadeTimeline = async (
  { table }: Pick<CreateTimelineDeps, 'table'>,
  request: ApiRequest<unknown, unknown>,
): Promise<{ readonly seen: AllocatedId | undefined; readonly timeline: Timeline | undefined }> => {
  const seen = await readAllocatedId(table, requestIdentityOf(request), TIMELINE);
  return { seen, timeline: seen && (await readTimeline(table, request.property.id, seen.id)) };
};

/** Name of the timeline among the ids of a request, as release 0.2.0 has it. */
const TIMELINE = 'timeline#0';

type MakeResult = Result<Timeline, 'duplicate_name' | 'segment_deleted'>;

/** Faults of a schedule of moments. Scheduled moments may not come more often than requested moments. */
const momentScheduleFaults = (
  { clock, intervalMs }: CreateTimelineDeps,
  schedule: Schedule,
): readonly ProblemError[] => {
  const faults = scheduleFaults(schedule, clock());
  if (faults.length > 0 || schedule.once === true) return faults;
  if (shortestGap(timetableOf(schedule)) * MINUTE_MS >= intervalMs) return [];
  const detail = 'Must not run more often than moments may come.';
  return [{ pointer: '/schedule', code: 'too_frequent', detail }];
};

/** One attempt to make a timeline, under an id of its own. */
const makeTimeline = async (
  deps: CreateTimelineDeps,
  request: ResolvedRequest,
  referents: readonly Referent[],
): Promise<Attempted<MakeResult>> => {
  const { table, clock } = deps;
  const { id: property } = request.property;
  const { name, reference_tile, comments, schedule } = request.body;
  const { seen, timeline: before } = await findMadeTimeline(deps, request);
  if (before) return done(ok(before));
  const id = scopedId(property, await table.increment(keys.counter(property, 'timeline'), 1));
  /** What the timeline is stored with, or the reason why it cannot be. */
  const readOthers = async (): Promise<Result<readonly Write[], 'duplicate_name' | 'segment_deleted'>> => {
    const named = await takeName(deps, { property, timeline: id, name });
    if (!named) return err('duplicate_name');
    const naming = { referrer: { kind: 'timeline', id }, referents, now: clock() } as const;
    const referenced = await referenceWrites(deps, property, naming);
    return referenced.ok ? ok([named, ...referenced.value]) : err('segment_deleted');
  };
  const others = await readOthers();
  if (!others.ok) return done(others);
  const segment = await newSegmentId(table, property);
  const since = clock();
  const made = { created: since, created_by: { ...request.user } };
  const moment: Moment = { ...made, segment, previous: null, name: momentName(name, since), comments };
  const timeline = { ...made, id, name, reference_tile, schedule, chart_links: 0, latest: moment };
  const stored: Write = { kind: 'insert', key: keys.timeline(property, id), set: timelineSet(timeline) };
  const read = async (): Promise<Commit | undefined> => {
    const now = await readOthers();
    if (!now.ok) return undefined;
    const ids = idWrites(requestIdentityOf(request), { what: TIMELINE, id, seen });
    const task = scheduleTask({ property, timeline: id }, { due: since, since });
    const tasks = schedule ? [await taskWrite(table, task)] : [];
    return { moment, lead: [stored, ...now.value, ...ids, ...tasks] };
  };
  const ref = { property, timeline: id, segment };
  const isMade = await makeMoment(deps, { ref, previous: null, reference_tile, since, read });
  const found = isMade && (await readTimeline(table, property, id));
  return found ? done(ok(found)) : 'conflict';
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
