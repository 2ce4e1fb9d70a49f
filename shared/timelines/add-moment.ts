import { limits } from '../config/limits.ts';
import type { ApiUser } from '../http/api-types.ts';
import type { Clock } from '../runtime/clock.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { manyRounds } from '../runtime/retry.ts';
import { newSegmentId } from '../catalogue/segment-items.ts';
import { storeAllocatedId, readAllocatedId, type RequestKey } from '../table/idempotent-ids.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { momentName, momentSet, type Moment, type Timeline } from './timeline-items.ts';
import { LeaseLost, makeMoment, type MakeDeps } from './make-moment.ts';
import { isCommitted, needsFinalizing, finalizeMoment, type MomentRef } from './moment-steps.ts';
import { readMoments, readTimeline } from './read-items.ts';
import { leaseRenewal } from './lease-renewal.ts';

/** What adding moments needs. */
export interface AddMomentDeps extends MakeDeps {
  readonly clock: Clock;
  /** Least time between two moments of a timeline, in milliseconds. */
  readonly intervalMs: number;
}

/** Who asks for a moment, of which timeline. */
export interface MomentRequest {
  readonly property: number;
  readonly timeline: number;
  /** Whom the moment is by; the timeline's own maker when nobody asks. */
  readonly user?: ApiUser;
  /** Brings the moment about: told again, it gets the moment that it has made. */
  readonly requestKey: RequestKey;
  /** The time that the moment counts as of (epoch ms), when that is not now. */
  readonly at?: number;
}

/** Why there is no moment: no such timeline; too early; or somebody is making one. `wait` is in milliseconds. */
export type MomentRefusal = 'not_found' | { readonly wait: number; readonly isBusy: boolean };

/**
 * Adds a moment to a timeline. Who makes it holds a lease, and renews it; others wait until the moment has come, and are too
 * early then, or until the lease ends, and take over. One write decides: that in which the timeline names its newest
 * moment, if the lease is still ours. So whoever dies before it has changed nothing, and uses up no time.
 */
export const addMoment = async (
  deps: AddMomentDeps,
  wish: MomentRequest,
): Promise<Result<Moment, MomentRefusal>> => {
  const leased = await acquireLease(deps, wish);
  if (!leased.ok) return leased;
  if ('previous' in leased.value) return ok(leased.value);
  const { timeline, segment, since, created } = leased.value;
  const { property } = wish;
  const ref = { property, timeline: timeline.id, segment };
  const moment: Moment = {
    segment,
    previous: timeline.latest.segment,
    name: momentName(timeline.name, created),
    created,
    created_by: wish.user ?? timeline.created_by,
    comments: '',
  };
  if (await needsFinalizing(deps.table, property, timeline.latest.segment))
    await finalizeMoment(deps.table, ref, timeline.latest);
  const lease = timelineLease(deps, ref, since);
  const { reference_tile } = timeline;
  const draft = { ref, reference_tile, moment, since, renewLease: lease.renew };
  if (!(await makeMoment(deps, draft, () => commitMoment(deps.table, ref, moment))))
    return err(await refusalAfterLoss(deps, wish));
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

/** Takes the lease of a timeline once its time has come and nobody holds it. */
const acquireLease = async (
  deps: AddMomentDeps,
  { property, timeline: id, requestKey: cause, at }: MomentRequest,
): Promise<Result<AcquiredLease | Moment, MomentRefusal>> => {
  const { table, clock, pause } = deps;
  let segment: number | undefined;
  let wait = 0;
  for (let round = 0; round < manyRounds.rounds; round += 1) {
    if (round > 0) await pause(Math.min(round, manyRounds.longest));
    const timeline = await readTimeline(table, property, id);
    if (!timeline) return err('not_found');
    const seen = await readAllocatedId(table, cause, MOMENT);
    // Settled before the next one comes, so one that has come by now is found. One that comes yet changes the timeline first.
    const [made] = seen ? await readMoments(table, property, timeline, [seen.id]) : [];
    if (made) return ok(made);
    const since = clock();
    const created = at ?? since;
    wait = intervalLeft(deps, timeline, created);
    if (wait > 0) return err({ wait, isBusy: false });
    wait = timeline.lease_segment === segment ? 0 : leaseLeft(timeline, since);
    if (wait > 0) continue;
    segment ??= await newSegmentId(table, property);
    const set = { lease_segment: segment, lease_until: since + LEASE_MS };
    const key = keys.timeline(property, id);
    // Refused also when our own lease went through unheard and somebody has taken over since: who makes is in its segment.
    const outcome = await table.write({ kind: 'update', key, set, expect: { w: timeline.w } });
    if (outcome === 'refused') continue;
    // Noted while the lease is ours: whoever held it before makes none any more.
    if (await storeAllocatedId(table, cause, { what: MOMENT, id: segment, seen }))
      return ok({ timeline, segment, since, created });
  }
  return err({ wait: Math.max(wait, 1), isBusy: true });
};

/** What the moment is called among the things of its cause. */
const MOMENT = 'moment';
const LEASE_MS = limits.timelines.leaseSeconds * 1000;

/** How long it is until the next moment may come; 0 when it may. A clock that was put back makes nobody wait longer than that. */
const intervalLeft = (
  { intervalMs }: Pick<AddMomentDeps, 'intervalMs'>,
  { latest }: Timeline,
  now: number,
): number => Math.min(Math.max(latest.created + intervalMs - now, 0), intervalMs);

/** What is left of the lease that somebody holds; 0 when nobody does. */
const leaseLeft = ({ lease_segment, lease_until }: Timeline, now: number): number =>
  lease_segment === null ? 0 : Math.min(Math.max(lease_until - now, 0), LEASE_MS);

const timelineLease = ({ table, clock }: AddMomentDeps, ref: MomentRef, since: number) =>
  leaseRenewal({ clock, since }, async (until) => {
    const key = keys.timeline(ref.property, ref.timeline);
    const expect = { lease_segment: ref.segment };
    const outcome = await table.write({ kind: 'update', key, set: { lease_until: until }, expect });
    if (outcome === 'refused') throw new LeaseLost();
  });

/** The write by which a moment comes. */
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

/** What whoever lost is told. */
const refusalAfterLoss = async (
  deps: AddMomentDeps,
  { property, timeline: id, at }: MomentRequest,
): Promise<MomentRefusal> => {
  const timeline = await readTimeline(deps.table, property, id);
  if (!timeline) return 'not_found';
  const now = deps.clock();
  const spent = intervalLeft(deps, timeline, at ?? now);
  return { wait: Math.max(spent, leaseLeft(timeline, now), 1), isBusy: spent === 0 };
};
