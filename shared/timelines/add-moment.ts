/** Add moment: makes the next moment of a timeline under a lease, for clients and for schedules. */
import { limits } from '../config/limits.ts';
import type { ApiUser } from '../http/api-types.ts';
import type { Clock } from '../runtime/clock.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { done, retryUntil, type Attempted } from '../runtime/retry.ts';
import { newSegmentId } from '../catalogue/segment-items.ts';
import { storeAllocatedId, readAllocatedId, type RequestIdentity } from '../table/idempotent-ids.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { momentName, momentSet, type Moment, type Timeline } from './timeline-items.ts';
import { MomentAbandoned, makeMoment, type MakeDeps } from './make-moment.ts';
import { isCommitted, needsFinalizing, finalizeMoment, type MomentRef } from './moment-steps.ts';
import { readMoments, readTimeline } from './read-items.ts';
import { leaseRenewal } from './lease-renewal.ts';

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

/**
 * No moment was made: the timeline does not exist; the request is too early; or another maker is busy. `wait` is in
 * milliseconds.
 */
export type MomentRefusal = 'not_found' | { readonly wait: number; readonly isBusy: boolean };

/**
 * Adds a moment to a timeline, under a lease that its maker renews. Other makers wait: once the moment is committed
 * they are too early, and once the lease ends one of them takes over. One write commits the moment: the timeline names
 * its newest moment, on condition that the maker still holds the lease. A maker that dies before the commit has changed
 * nothing and used up no time.
 */
export const addMoment = async (
  deps: AddMomentDeps,
  request: MomentRequest,
): Promise<Result<Moment, MomentRefusal>> => {
  const leased = await acquireLease(deps, request);
  if (!leased.ok) return leased;
  if ('previous' in leased.value) return ok(leased.value);
  const { timeline, segment, since, created } = leased.value;
  const { property } = request;
  const ref = { property, timeline: timeline.id, segment };
  const moment: Moment = {
    segment,
    previous: timeline.latest.segment,
    name: momentName(timeline.name, created),
    created,
    created_by: request.user ?? timeline.created_by,
    comments: '',
  };
  if (await needsFinalizing(deps.table, property, timeline.latest.segment))
    await finalizeMoment(deps.table, ref, timeline.latest);
  const lease = timelineLease(deps, ref, since);
  const { reference_tile } = timeline;
  const draft = { ref, reference_tile, moment, since, renewLease: lease.renew };
  if (!(await makeMoment(deps, draft, () => commitMoment(deps.table, ref, moment))))
    return err(await refusalAfterLoss(deps, request));
  await finalizeMoment(deps.table, ref, moment);
  return ok(moment);
};

interface AcquiredLease {
  readonly timeline: Timeline;
  /** Id of the moment's segment, by which the lease is known. */
  readonly segment: number;
  readonly since: number;
  readonly created: number;
}

type LeaseOutcome = Result<AcquiredLease | Moment, MomentRefusal>;

/**
 * Acquires the lease of a timeline once the interval is over and no other maker holds the lease. Refuses when another
 * maker is still busy after the last round.
 */
const acquireLease = async (deps: AddMomentDeps, request: MomentRequest): Promise<LeaseOutcome> => {
  const seen: LeaseProgress = { segment: undefined, wait: 0 };
  const outcome = await retryUntil({ pause: deps.pause }, () => tryLease(deps, request, seen));
  return outcome === 'conflict' ? err({ wait: Math.max(seen.wait, 1), isBusy: true }) : outcome.done;
};

/** The state that one round of `tryLease` leaves to the next. */
interface LeaseProgress {
  /** Id of the moment's segment, allocated once for all rounds. */
  segment: number | undefined;
  /** The rest of the other maker's lease, in milliseconds. */
  wait: number;
}

const tryLease = async (
  deps: AddMomentDeps,
  { property, timeline: id, requestIdentity, at }: MomentRequest,
  progress: LeaseProgress,
): Promise<Attempted<LeaseOutcome>> => {
  const { table, clock } = deps;
  const timeline = await readTimeline(table, property, id);
  if (!timeline) return done(err('not_found'));
  const seen = await readAllocatedId(table, requestIdentity, MOMENT);
  // A committed moment is finalized before the next moment, so it is found here. A later commit changes the timeline first.
  const [made] = seen ? await readMoments(table, property, timeline, [seen.id]) : [];
  if (made) return done(ok(made));
  const since = clock();
  const created = at ?? since;
  const waitMs = intervalLeft(deps, timeline, created);
  if (waitMs > 0) return done(err({ wait: waitMs, isBusy: false }));
  progress.wait = timeline.lease_segment === progress.segment ? 0 : leaseLeft(timeline, since);
  if (progress.wait > 0) return 'conflict';
  const segment = (progress.segment ??= await newSegmentId(table, property));
  const set = { lease_segment: segment, lease_until: since + LEASE_MS };
  const key = keys.timeline(property, id);
  // Also refused when the answer to our own lease was lost and another maker took over since: `lease_segment` names the maker.
  const outcome = await table.write({ kind: 'update', key, set, expect: { w: timeline.w } });
  if (outcome === 'refused') return 'conflict';
  // Stored while we hold the lease: its former holder can no longer commit.
  const stored = await storeAllocatedId(table, requestIdentity, { what: MOMENT, id: segment, seen });
  return stored ? done(ok({ timeline, segment, since, created })) : 'conflict';
};

/** Name of the moment among the ids of a request. */
const MOMENT = 'moment';
const LEASE_MS = limits.timelines.leaseSeconds * 1000;

/**
 * The rest of the interval between two moments; 0 when it is over. Bounded, so a clock that was set back causes no
 * longer wait.
 */
const intervalLeft = (
  { intervalMs }: Pick<AddMomentDeps, 'intervalMs'>,
  { latest }: Timeline,
  now: number,
): number => Math.min(Math.max(latest.created + intervalMs - now, 0), intervalMs);

/** The rest of the current lease; 0 without a lease. */
const leaseLeft = ({ lease_segment, lease_until }: Timeline, now: number): number =>
  lease_segment === null ? 0 : Math.min(Math.max(lease_until - now, 0), LEASE_MS);

const timelineLease = ({ table, clock }: AddMomentDeps, ref: MomentRef, since: number) =>
  leaseRenewal({ clock, since }, async (until) => {
    const key = keys.timeline(ref.property, ref.timeline);
    const expect = { lease_segment: ref.segment };
    const outcome = await table.write({ kind: 'update', key, set: { lease_until: until }, expect });
    if (outcome === 'refused') throw new MomentAbandoned();
  });

/** Commits a moment: the deciding write. Returns whether the moment is committed. */
const commitMoment = async (
  table: Table,
  { property, timeline, segment }: MomentRef,
  moment: Moment,
): Promise<boolean> => {
  const key = keys.timeline(property, timeline);
  const set = { latest: momentSet(moment), lease_segment: null, lease_until: 0 };
  const outcome = await table.write({ kind: 'update', key, set, expect: { lease_segment: segment } });
  return outcome === 'applied' || isCommitted(table, { property, timeline, segment });
};

/** The refusal for a maker that lost its lease. */
const refusalAfterLoss = async (
  deps: AddMomentDeps,
  { property, timeline: id, at }: MomentRequest,
): Promise<MomentRefusal> => {
  const timeline = await readTimeline(deps.table, property, id);
  if (!timeline) return 'not_found';
  const now = deps.clock();
  const remaining = intervalLeft(deps, timeline, at ?? now);
  return { wait: Math.max(remaining, leaseLeft(timeline, now), 1), isBusy: remaining === 0 };
};
