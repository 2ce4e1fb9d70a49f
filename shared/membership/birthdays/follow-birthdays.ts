import { listAllProperties } from '../../properties/items.ts';
import { Failures } from '../../runtime/failures.ts';
import { keys, ORDINALS_PER_CHUNK } from '../../table/keys.ts';
import { dayOf, monthsBetween, startOf, type Day } from './days.ts';
import {
  readRounds,
  saveRounds,
  type Rounds,
  readProgress,
  saveProgress,
  type Progress,
} from './progress.ts';
import { limits } from '../../config/limits.ts';
import { MINUTE_MS, type Clock } from '../../runtime/clock.ts';
import type { Table } from '../../table/table.ts';
import { offsetsFrom } from '../chunk.ts';
import type { SegmentCatalogue } from '../../catalogue/catalogue.ts';
import { bandsBetween, ordinaryBands } from '../../catalogue/derive.ts';
import { chunksFrom } from '../walk-members.ts';
import { birthMonthId } from '../../catalogue/calendars.ts';
import type { Journal } from '../journal.ts';
import type { MembershipIndex } from '../membership.ts';
import type { ReadProfiles } from '../../profiles/profile-repository.ts';
import type { Pair, SegmentIdentity } from '../../catalogue/types.ts';

/**
 * Visits all properties once a UTC day, and moves people to the age bands that their birthdays lead to. Catches up on
 * missed days. Called every few minutes: a call continues where the previous call stopped, and costs one read once the
 * day is done. Returns the number of visited properties. A property whose work fails is visited again, like a property
 * that has to wait; the other properties go on, and the first failure is thrown at the end.
 */
export const followBirthdays = async (deps: BirthdayDeps, hasTime: () => boolean): Promise<number> => {
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

interface BirthdayDeps {
  readonly table: Table;
  readonly clock: Clock;
  readonly catalogue: Pick<SegmentCatalogue, 'idsOf'>;
  readonly journal: Pick<Journal, 'isEmpty'>;
  readonly membership: Pick<MembershipIndex, 'reindex'>;
  readonly readProfiles: ReadProfiles;
}

/** `waiting`: changes journaled before the day are not indexed yet. `late`: the time is up, and the progress is stored. */
export type FollowOutcome = 'done' | 'waiting' | 'late';

/**
 * Moves the people of a property whose age band has changed since the last followed day to their band on `day`. Two
 * calls may run at once, and a call may die anywhere. `hasTime` tells whether there is time left.
 */
export const followProperty = async (
  deps: BirthdayDeps,
  property: number,
  day: Day,
  hasTime: () => boolean,
): Promise<FollowOutcome> => {
  const progress = await readProgress(deps.table, property);
  if (progress.day >= day) return 'done';
  // A profile that was journaled with yesterday's band and is indexed today would be in no band, so the journal is drained first.
  const settled = Math.min(startOf(day) + SETTLE_MS, deps.clock());
  if (!(await deps.journal.isEmpty(property, settled))) return 'waiting';
  const place = progress.place?.to === day ? progress.place : undefined;
  for (const month of monthsBetween(progress.day, day)) {
    if (place && month < place.month) continue;
    const from = place?.month === month ? place.from : 0;
    if ((await followMonth(deps, property, { progress, day, month, from }, hasTime)) === 'late')
      return 'late';
  }
  await saveProgress(deps.table, property, { day, place: null });
  return 'done';
};

interface Walk {
  readonly progress: Progress;
  readonly day: Day;
  readonly month: number;
  /** The first ordinal. */
  readonly from: number;
}

const followMonth = async (
  deps: BirthdayDeps,
  property: number,
  { progress, day, month, from }: Walk,
  hasTime: () => boolean,
): Promise<'done' | 'late'> => {
  const members = { property, expression: birthMonthId(property, month) };
  for await (const { base, bits } of chunksFrom(deps.table, members, from)) {
    if (!hasTime()) return 'late';
    const ordinals = offsetsFrom(bits).map((offset) => base + offset);
    await reindexBands(deps, property, ordinals, { last: progress.day, day });
    const place = { to: day, month, from: base + ORDINALS_PER_CHUNK };
    await saveProgress(deps.table, property, { day: progress.day, place });
  }
  return 'done';
};

/** Reindexes the people whose band has changed, in every band that they had in between. */
const reindexBands = async (
  { catalogue, membership, readProfiles }: BirthdayDeps,
  property: number,
  ordinals: readonly number[],
  { last, day }: { readonly last: Day; readonly day: Day },
): Promise<void> => {
  const moves: { readonly ordinal: number; readonly bands: ReadonlyMap<string, SegmentIdentity> }[] = [];
  for await (const { ordinal, fields, withoutSpecial } of readProfiles(property, ordinals)) {
    if (fields.birthday === null) continue;
    const bands = bandsBetween(fields.birthday, startOf(last), startOf(day));
    if (bands.size > 1) moves.push({ ordinal, bands: withoutSpecial ? ordinaryBands(bands) : bands });
  }
  if (moves.length === 0) return;
  const distinct = new Map(moves.flatMap(({ bands }) => [...bands]));
  const ids = await catalogue.idsOf(property, [...distinct.values()]);
  const pairs = moves.flatMap(({ ordinal, bands }): readonly Pair[] =>
    // A band beyond the segment quota is no segment.
    [...bands.keys()].flatMap((key) => {
      const segment = ids.get(key);
      return segment === undefined ? [] : [{ segment, ordinal }];
    }),
  );
  await membership.reindex({ id: property }, pairs);
};
