/**
 * Calendars job: announces once a day who enters or leaves a segment with the days alone, because no client writes these
 * profiles. It finds the people by hidden segments.
 */
import type { SegmentCatalogue } from '../../catalogue/catalogue.ts';
import type { DerivationSource } from '../../catalogue/derivation.ts';
import { changedSegmentsOf } from '../../catalogue/timed.ts';
import type { IndexedIdentity } from '../../catalogue/types.ts';
import { limits } from '../../config/limits.ts';
import type { ReadProfiles } from '../../profiles/profile-repository.ts';
import { listAllProperties } from '../../properties/items.ts';
import { MINUTE_MS, type Clock } from '../../runtime/clock.ts';
import { Failures } from '../../runtime/failures.ts';
import { groupOf, keys, ORDINALS_PER_CHUNK } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { offsetsFrom } from '../chunk.ts';
import { requestDrains, type DrainQueue } from '../drain.ts';
import type { Journal } from '../journal.ts';
import { chunksFrom } from '../walk-members.ts';
import { dayOf, startOf, type Day } from './days.ts';
import { dueBetween, type Due } from './due.ts';
import {
  readProgress,
  readRounds,
  saveProgress,
  saveRounds,
  type Progress,
  type Rounds,
} from './progress.ts';

/**
 * Visits all properties once a UTC day, and announces who enters or leaves a segment with the day. Catches up on missed days. Called every few minutes: a call continues where the previous call stopped, and costs one read once the
 * day is done. Returns the number of visited properties. A property whose work fails is visited again, like a property
 * that has to wait; the other properties go on, and the first failure is thrown at the end.
 */
export const followCalendars = async (deps: CalendarDeps, hasTime: () => boolean): Promise<number> => {
  const rounds = await readRounds(deps.table);
  const today = dayOf(deps.clock());
  if (rounds.day >= today) return 0;
  const visit = { day: today, after: null, waiting: false, ...rounds.round };
  let after = visit.after ?? undefined;
  let { waiting } = visit;
  const failures = new Failures();
  let visited = 0;
  do {
    const { items: properties, next } = await listAllProperties(deps.table, after);
    for (const property of properties) {
      const follow = () => followProperty(deps, property, visit.day, hasTime);
      const followed = hasTime() ? ((await failures.attempt(follow)) ?? 'waiting') : 'late';
      if (followed === 'late') {
        await saveRounds(deps.table, { ...rounds, round: { ...visit, after: after ?? null, waiting } });
        failures.throwFirst();
        return visited;
      }
      waiting ||= followed === 'waiting';
      after = keys.listedProperty(property).sk;
      visited += 1;
    }
    after = next;
  } while (after !== undefined);
  await saveRounds(deps.table, ended(rounds, visit.day, waiting));
  failures.throwFirst();
  return visited;
};

/** The state after a round. If a property had to wait, all are visited once more; a finished property costs one read. */
const ended = (rounds: Rounds, day: string, waiting: boolean): Rounds =>
  waiting ? { ...rounds, round: null } : { day, round: null };

const SETTLE_MS = limits.birthdays.settleMinutes * MINUTE_MS;

interface CalendarDeps extends DrainQueue {
  readonly table: Table;
  readonly clock: Clock;
  readonly catalogue: Pick<SegmentCatalogue, 'idsOf'>;
  readonly derivations: Pick<DerivationSource, 'of'>;
  readonly journal: Pick<Journal, 'isEmpty' | 'announce'>;
  readonly readProfiles: ReadProfiles;
}

/** `waiting`: changes journaled before the day are not indexed yet. `late`: the time is up, and the progress is stored. */
export type FollowOutcome = 'done' | 'waiting' | 'late';

/**
 * Announces the people of a property who have entered or left a segment since the last followed day, and requests the drains.
 * Two calls may run at once, and a call may die anywhere: what is announced again is indexed again. `hasTime` tells whether
 * there is time left.
 */
export const followProperty = async (
  deps: CalendarDeps,
  property: number,
  day: Day,
  hasTime: () => boolean,
): Promise<FollowOutcome> => {
  const progress = await readProgress(deps.table, property);
  if (progress.day >= day) return 'done';
  // Who was indexed by an earlier day is looked for below, so all that was announced before this day is indexed first: also
  // who belongs in the hidden segments.
  const settled = Math.min(startOf(day) + SETTLE_MS, deps.clock());
  if (!(await deps.journal.isEmpty(property, settled))) return 'waiting';
  const { conditions } = (await deps.derivations.of(property)).at(deps.clock());
  const place = progress.place?.to === day ? progress.place : undefined;
  for (const due of dueBetween(property, conditions, progress.day, day)) {
    if (place && due.place < place.month) continue;
    const from = place?.month === due.place ? place.from : 0;
    if ((await followSegment(deps, property, { progress, day, due, from }, hasTime)) === 'late')
      return 'late';
  }
  await saveProgress(deps.table, property, { day, place: null });
  return 'done';
};

interface Walk {
  readonly progress: Progress;
  readonly day: Day;
  readonly due: Due;
  /** The first ordinal. */
  readonly from: number;
}

const followSegment = async (
  deps: CalendarDeps,
  property: number,
  { progress, day, due, from }: Walk,
  hasTime: () => boolean,
): Promise<'done' | 'late'> => {
  const members = { property, expression: due.segment };
  const announced = new Set<number>();
  // One request for all that is announced of a group. A call that dies here leaves it to the sweep.
  const request = async (): Promise<void> => {
    if (announced.size === 0) return;
    await requestDrains(
      deps,
      [...announced].map((group) => ({ property, group })),
    );
    announced.clear();
  };
  for await (const { base, bits } of chunksFrom(deps.table, members, from)) {
    if (!announced.has(groupOf(base))) await request();
    if (!hasTime()) {
      await request();
      return 'late';
    }
    const ordinals = offsetsFrom(bits).map((offset) => base + offset);
    if (await announceChanges(deps, property, ordinals, { due, last: progress.day, day }))
      announced.add(groupOf(base));
    const place = { to: day, month: due.place, from: base + ORDINALS_PER_CHUNK };
    await saveProgress(deps.table, property, { day: progress.day, place });
  }
  await request();
  return 'done';
};

/** Announces what these people have entered and left; returns whether there is anything. */
const announceChanges = async (
  { catalogue, journal, readProfiles, ids }: CalendarDeps,
  property: number,
  ordinals: readonly number[],
  { due, last, day }: { readonly due: Due; readonly last: Day; readonly day: Day },
): Promise<boolean> => {
  const span = { from: startOf(last), to: startOf(day) };
  const distinct = new Map<string, IndexedIdentity>();
  const moves: { readonly ordinal: number; readonly keys: readonly string[] }[] = [];
  for await (const profile of readProfiles(property, ordinals)) {
    const changed = changedSegmentsOf(profile, span, due.rules);
    if (changed.size === 0) continue;
    moves.push({ ordinal: profile.ordinal, keys: [...changed.keys()] });
    for (const [key, identity] of changed) distinct.set(key, identity);
  }
  if (moves.length === 0) return false;
  const segments = await catalogue.idsOf(property, [...distinct.values()]);
  const pairs = moves.flatMap(({ ordinal, keys: changed }) =>
    // A band beyond the segment quota is no segment.
    changed.flatMap((key) => {
      const segment = segments.get(key);
      return segment === undefined ? [] : [{ segment, ordinal }];
    }),
  );
  if (pairs.length === 0) return false;
  await journal.announce(property, `calendar-${ids.uuid()}`, pairs);
  return true;
};
