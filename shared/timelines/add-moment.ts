/** Add moment: makes the next moment of a timeline, for clients and for schedules. */
import { newSegmentId } from '../catalogue/segment-items.ts';
import type { ApiUser, UseCase } from '../http/api-types.ts';
import { notFound } from '../http/not-found.ts';
import { problems, type Problem } from '../http/problem.ts';
import { isoTime, type Clock } from '../runtime/clock.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { done, retryOnConflict, type Attempted } from '../runtime/retry.ts';
import {
  idWrites,
  readAllocatedId,
  requestIdentityOf,
  type RequestIdentity,
} from '../table/idempotent-ids.ts';
import { makeMoment, type MakeDeps } from './make-moment.ts';
import { readMoments, readTimeline } from './read-items.ts';
import { momentName, momentSet, updateTimeline, type Moment, type Timeline } from './timeline-items.ts';
import { momentView } from './views.ts';

export interface AddMomentDeps extends MakeDeps {
  readonly clock: Clock;
  /** Least time between two moments of a timeline, in milliseconds. */
  readonly intervalMs: number;
}

/** A request for a moment of a timeline. */
export interface MomentRequest {
  readonly property: number;
  readonly timeline: number;
  /** The creator of the moment; the creator of the timeline for a scheduled moment. */
  readonly user?: ApiUser;
  /** Idempotency key: a repeated request gets the moment that it made before. */
  readonly requestIdentity: RequestIdentity;
  /** The nominal time of the moment (epoch ms), unless that is now. */
  readonly at?: number;
}

/** No moment was made: the timeline does not exist, or the request is too early. `wait` is in milliseconds. */
export type MomentRefusal = 'not_found' | { readonly wait: number };

type Made = Result<Moment, MomentRefusal>;

/**
 * Adds a moment to a timeline. One transaction commits it: the timeline names its newest moment, on condition that it still
 * names the moment before. Of several makers the first one to commit wins, and the others are too early then. A maker that
 * dies has changed nothing and used up no time.
 */
export const addMoment = (deps: AddMomentDeps, request: MomentRequest): Promise<Made> =>
  retryOnConflict({ pause: deps.pause, what: 'timelines: a moment' }, () => tryMoment(deps, request));

const tryMoment = async (deps: AddMomentDeps, request: MomentRequest): Promise<Attempted<Made>> => {
  const { table, clock } = deps;
  const { property, timeline: id, user, requestIdentity, at } = request;
  const timeline = await readTimeline(table, property, id);
  if (!timeline) return done(err('not_found'));
  const seen = await readAllocatedId(table, requestIdentity, MOMENT);
  const [before] = seen ? await readMoments(table, property, timeline, [seen.id]) : [];
  if (before) return done(ok(before));
  const since = clock();
  const created = at ?? since;
  const wait = intervalLeft(deps, timeline, created);
  if (wait > 0) return done(err({ wait }));
  const segment = await newSegmentId(table, property);
  const previous = timeline.latest.segment;
  const moment = await makeMoment(deps, {
    ...{ ref: { property, timeline: id, segment }, previous, since },
    reference_tile: timeline.reference_tile,
    read: async () => {
      const now = await readTimeline(table, property, id);
      if (now?.latest.segment !== previous) return undefined;
      const next: Moment = {
        ...{ segment, previous, created, comments: '' },
        name: momentName(now.name, created),
        created_by: creatorOf(now, user),
      };
      const named = updateTimeline(property, now, { latest: momentSet(next) });
      return {
        moment: next,
        lead: [named, ...idWrites(requestIdentity, { what: MOMENT, id: segment, seen })],
      };
    },
  });
  return moment ? done(ok(moment)) : 'conflict';
};

/** Name of the moment among the ids of a request. */
const MOMENT = 'moment';

/** The creator of a moment. A timeline whose creator was deleted has the creator without a name. */
const creatorOf = ({ created_by }: Timeline, user: ApiUser = created_by): ApiUser =>
  user.id === created_by.id ? created_by : user;

/**
 * The rest of the interval between two moments; 0 when it is over. Bounded, so a clock that was set back causes no
 * longer wait.
 */
const intervalLeft = (
  { intervalMs }: Pick<AddMomentDeps, 'intervalMs'>,
  { latest }: Timeline,
  now: number,
): number => Math.min(Math.max(latest.created + intervalMs - now, 0), intervalMs);

export interface CreateMomentDeps extends AddMomentDeps {
  /** The configured address of the service. */
  readonly baseUrl: string;
}

/**
 * `POST timelines/{timeline_id}/moments`: stores the members that the tracked segment has now. 429 while the last
 * moment is too young.
 */
export const createMoment: UseCase<CreateMomentDeps> = async (deps, request) => {
  const { property, path, user, now } = request;
  const requestIdentity = requestIdentityOf(request);
  const timeline = Number(path['timeline_id']);
  const made = await addMoment(deps, {
    property: property.id,
    timeline,
    user,
    requestIdentity,
  });
  if (made.ok) return ok({ status: 201, body: momentView(deps.baseUrl, property.id, made.value) });

  return err(made.error === 'not_found' ? notFound('timeline', request) : tooEarly(now, made.error.wait));
};

/** 429 with the time at which the next moment may come, in whole seconds. */
const tooEarly = (now: number, wait: number): Problem => {
  const problem = problems.rateLimited('moment_too_early', wait / 1_000);
  const time = isoTime(Math.ceil((now + wait) / 1_000) * 1_000);
  return { ...problem, detail: `The next moment may come at ${time}.` };
};
