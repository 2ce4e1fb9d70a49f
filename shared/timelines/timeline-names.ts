import { hash } from 'node:crypto';
import { limits } from '../config/limits.ts';
import { problems, type Problem } from '../http/problem.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Pause } from '../runtime/pause.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { manyRounds } from '../runtime/retry.ts';
import { foldName } from '../catalogue/identity.ts';
import { keys, type Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { tombstoneWrite } from '../references/lifecycle.ts';
import { parseNameClaim, type NameClaim, type Timeline } from './timeline-items.ts';
import { readTimeline } from './read-items.ts';

/** What claiming names needs. */
export interface NameDeps {
  readonly table: Table;
  readonly clock: Clock;
  readonly pause: Pause;
}

/** The name of a timeline to be. */
export interface NameRequest {
  readonly property: number;
  readonly timeline: number;
  readonly name: string;
}

/** The claim on a name: names that differ in case, surrounding space or Unicode form only have one. */
const nameClaimKey = (property: number, name: string): Key =>
  keys.timelineName(property, hash('sha256', foldName(name)));

/** Who has a name: a timeline, or, `undefined`, one that is being made. */
export interface NameConflict {
  readonly by: Timeline | undefined;
}

/** What a client is told who asks for a name that another timeline has. */
export const duplicateName = ({ by }: NameConflict): Problem =>
  problems.conflict(
    'duplicate_name',
    by ? 'Another timeline has this name.' : 'Another timeline with this name is being made.',
  );

/** Whether a timeline has a name, however that is written. */
export const hasSameName = (timeline: Timeline, name: string): boolean =>
  foldName(timeline.name) === foldName(name);

/**
 * Claims a name for a timeline that is to be made, or to get that name. A claim is pending until then, and renewed; others wait
 * until the timeline has the name, or the claim ends. A timeline that takes a claim over fences its holder first: it takes the
 * place of a timeline that is not there, or ends the renaming of a timeline that is, so that neither comes by the name any
 * more. The name that a timeline has given up is free, as is the name of a timeline that was deleted.
 */
export const claimName = async (
  deps: NameDeps,
  { property, timeline, name }: NameRequest,
): Promise<Result<undefined, NameConflict>> => {
  const { table, clock, pause } = deps;
  const key = nameClaimKey(property, name);
  for (let round = 0; round < manyRounds.rounds; round += 1) {
    if (round > 0) await pause(Math.min(round, manyRounds.longest));
    const set = { timeline, final: false, until: clock() + LEASE_MS };
    const item = await table.get(key);
    if (!item) {
      if ((await table.write({ kind: 'insert', key, set })) === 'applied') return ok(undefined);
      continue;
    }
    const claim = parseNameClaim(item);
    if (claim.timeline !== timeline) {
      const by = await readTimeline(table, property, claim.timeline);
      if (by && hasSameName(by, name)) return err({ by });
      if (!(await takeOverClaim(deps, property, claim, by))) continue;
    }
    // Our own claim is written as well: a timeline that is about to take it over is refused.
    const outcome = await table.write({ kind: 'update', key, set, expect: { w: claim.w } });
    if (outcome === 'applied') return ok(undefined);
  }
  return err({ by: undefined });
};

const LEASE_MS = limits.timelines.leaseSeconds * 1000;

/** Whether a claim may be taken whose timeline has not got the name: it does not get the name any more. */
const takeOverClaim = async (
  { table, clock }: NameDeps,
  property: number,
  { timeline, final, until }: NameClaim,
  by: Timeline | undefined,
): Promise<boolean> => {
  if (final && !by) return true;
  // No lease is longer, whatever the clock of its holder says.
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

/** Says how long the claim of a timeline that is being made holds on; `false` when somebody has taken it over. */
export const renewNameClaim = async (
  table: Table,
  { property, timeline, name }: NameRequest,
  until: number,
): Promise<boolean> => {
  const key = nameClaimKey(property, name);
  return (await table.write({ kind: 'update', key, set: { until }, expect: { timeline } })) === 'applied';
};

/** Says that the timeline of a claim is there. Nothing depends on it but that the claim need not be looked behind. */
export const finalizeName = async (
  table: Table,
  { property, timeline, name }: NameRequest,
): Promise<void> => {
  const key = nameClaimKey(property, name);
  await table.write({ kind: 'update', key, set: { final: true }, expect: { timeline } });
};

/** Gives back the name of a timeline that was not made, or is gone. */
export const releaseName = async (table: Table, { property, timeline, name }: NameRequest): Promise<void> => {
  const key = nameClaimKey(property, name);
  await table.write({ kind: 'delete', key, expect: { timeline } });
};

/** The claim on a name as it is read; undefined when there is none. */
export const readClaim = async (
  table: Table,
  property: number,
  name: string,
): Promise<NameClaim | undefined> => {
  const item = await table.get(nameClaimKey(property, name));
  return item && parseNameClaim(item);
};

/** Gives back the claim on a name that a timeline has given up, unless it was written since it was read. */
export const releaseClaim = async (
  table: Table,
  property: number,
  name: string,
  { w }: NameClaim,
): Promise<void> => {
  await table.write({ kind: 'delete', key: nameClaimKey(property, name), expect: { w } });
};
