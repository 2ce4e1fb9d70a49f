/** Timeline names: keeps names unique among the timelines of a property, by claims with leases. */
import { hash } from 'node:crypto';
import { limits } from '../config/limits.ts';
import { problems, type Problem } from '../http/problem.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Pause } from '../runtime/pause.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { done, retryUntil, type Attempted } from '../runtime/retry.ts';
import { foldName } from '../catalogue/identity.ts';
import { keys, type Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { tombstoneWrite } from '../references/lifecycle.ts';
import { parseNameClaim, type NameClaim, type Timeline } from './timeline-items.ts';
import { readTimeline } from './read-items.ts';

export interface NameDeps {
  readonly table: Table;
  readonly clock: Clock;
  readonly pause: Pause;
}

/** A name for a timeline. */
export interface NameRequest {
  readonly property: number;
  readonly timeline: number;
  readonly name: string;
}

/** Names that differ only in case, surrounding space or Unicode form share one claim. */
const nameClaimKey = (property: number, name: string): Key =>
  keys.timelineName(property, hash('sha256', foldName(name)));

/** The holder of a name; `undefined` for a timeline that is still being made. */
export interface NameConflict {
  readonly by: Timeline | undefined;
}

/** The problem of a request for a name that another timeline holds. */
export const duplicateName = ({ by }: NameConflict): Problem =>
  problems.conflict(
    'duplicate_name',
    by ? 'Another timeline has this name.' : 'Another timeline with this name is being made.',
  );

/** Whether a timeline has a name, compared as claims compare names. */
export const hasSameName = (timeline: Timeline, name: string): boolean =>
  foldName(timeline.name) === foldName(name);

/**
 * Claims a name for a timeline that is being made or renamed. The claim is pending and its lease is renewed until the
 * timeline has the name; other timelines wait for that, or for the end of the lease. A takeover fences the holder
 * first: it writes a tombstone under the id of a timeline that is not stored yet, or ends the renaming of a stored
 * timeline, so the holder can no longer get the name. The former name of a timeline is free, and so is the name of a
 * deleted timeline. Refuses when the claim is still pending after the last round.
 */
export const claimName = async (deps: NameDeps, request: NameRequest): Promise<NameOutcome> => {
  const outcome = await retryUntil({ pause: deps.pause }, () => tryClaim(deps, request));
  return outcome === 'conflict' ? err({ by: undefined }) : outcome.done;
};

type NameOutcome = Result<undefined, NameConflict>;

const tryClaim = async (
  deps: NameDeps,
  { property, timeline, name }: NameRequest,
): Promise<Attempted<NameOutcome>> => {
  const { table, clock } = deps;
  const key = nameClaimKey(property, name);
  const set = { timeline, final: false, until: clock() + LEASE_MS };
  const item = await table.get(key);
  if (!item) {
    const inserted = await table.write({ kind: 'insert', key, set });
    return inserted === 'applied' ? done(ok(undefined)) : 'conflict';
  }
  const claim = parseNameClaim(item);
  if (claim.timeline !== timeline) {
    const by = await readTimeline(table, property, claim.timeline);
    if (by && hasSameName(by, name)) return done(err({ by }));
    if (!(await takeOverClaim(deps, property, claim, by))) return 'conflict';
  }
  // Our own claim is written again too, so that a concurrent takeover is refused.
  const outcome = await table.write({ kind: 'update', key, set, expect: { w: claim.w } });
  return outcome === 'applied' ? done(ok(undefined)) : 'conflict';
};

const LEASE_MS = limits.timelines.leaseSeconds * 1000;

/**
 * Takes over the claim of a timeline that does not have the name, if its lease is over. Returns whether the holder is
 * fenced.
 */
const takeOverClaim = async (
  { table, clock }: NameDeps,
  property: number,
  { timeline, final, until }: NameClaim,
  by: Timeline | undefined,
): Promise<boolean> => {
  if (final && !by) return true;
  // A longer rest than a whole lease comes from a wrong clock of the holder.
  const left = until - clock();
  if (!final && left > 0 && left <= LEASE_MS) return false;
  const key = keys.timeline(property, timeline);
  if (by) {
    const fence = { kind: 'update', key, set: { renaming: null }, expect: { w: by.w } } as const;
    return (await table.write(fence)) === 'applied';
  }
  if ((await table.write(tombstoneWrite(key))) === 'applied') return true;
  return (await readTimeline(table, property, timeline)) === undefined;
};

/** Renews the lease of a claim; `false` after a takeover. */
export const renewNameClaim = async (
  table: Table,
  { property, timeline, name }: NameRequest,
  until: number,
): Promise<boolean> => {
  const key = nameClaimKey(property, name);
  return (await table.write({ kind: 'update', key, set: { until }, expect: { timeline } })) === 'applied';
};

/** Marks a claim as final. This only saves later readers a look at the timeline. */
export const finalizeName = async (
  table: Table,
  { property, timeline, name }: NameRequest,
): Promise<void> => {
  const key = nameClaimKey(property, name);
  await table.write({ kind: 'update', key, set: { final: true }, expect: { timeline } });
};

/** Releases the name of a timeline that was not made, or was deleted. */
export const releaseName = async (table: Table, { property, timeline, name }: NameRequest): Promise<void> => {
  const key = nameClaimKey(property, name);
  await table.write({ kind: 'delete', key, expect: { timeline } });
};

/** Reads the claim on a name; `undefined` for a free name. */
export const readClaim = async (
  table: Table,
  property: number,
  name: string,
): Promise<NameClaim | undefined> => {
  const item = await table.get(nameClaimKey(property, name));
  return item && parseNameClaim(item);
};

/** Releases the claim on the former name of a timeline, unless another writer changed the claim since it was read. */
export const releaseClaim = async (
  table: Table,
  property: number,
  name: string,
  { w }: NameClaim,
): Promise<void> => {
  await table.write({ kind: 'delete', key: nameClaimKey(property, name), expect: { w } });
};
