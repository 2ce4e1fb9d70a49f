/**
 * Timed segments: age bands, and conditions whose members change with time alone. For writers, which must announce all of them
 * that the index may show of a profile, and for the daily job, which must announce those that have changed.
 */
import { isDeepStrictEqual } from 'node:util';
import { limits } from '../config/limits.ts';
import { ageOn } from '../profiles/age.ts';
import type { ResolvedProfile } from '../profiles/types.ts';
import { DAY_MS } from '../runtime/clock.ts';
import { utcDayOf } from '../runtime/utc-days.ts';
import type { DayRange } from './conditions/day-ranges.ts';
import type { Conditions, KnownCondition } from './conditions/known-conditions.ts';
import { ageSegments } from './derive.ts';
import { identityKey } from './identity.ts';
import type { IndexedIdentity } from './types.ts';

/** Times from one to another (epoch milliseconds). Each of their UTC days counts whole. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

type Found = ReadonlyMap<string, IndexedIdentity>;

const BEHIND_MS = limits.birthdays.behindDays * DAY_MS;

/**
 * The times by which the index may show a stored profile: since it was stored, or by a daily job that is behind.
 * `updatedAt` and `now` are epoch milliseconds.
 */
export const shownBy = (updatedAt: number, now: number): TimeSpan => ({
  from: Math.min(updatedAt, now) - BEHIND_MS,
  to: now,
});

/** The timed segments, by `identityKey`, in which a profile is at any time of a span. */
export const timedSegmentsOf = (
  profile: ResolvedProfile,
  span: TimeSpan,
  { timed }: Pick<Conditions, 'timed'>,
): Found => new Map([...bandsOf(profile, span), ...heldOf(profile, span, [...timed.values()].flat())]);

/**
 * Those of them that a stored profile may leave for good because of what is written: the daily job finds nobody any more by
 * a value that is gone.
 */
export const leftSegmentsOf = (
  stored: ResolvedProfile,
  after: ResolvedProfile,
  span: TimeSpan,
  { timed }: Pick<Conditions, 'timed'>,
): Found => {
  const isOtherUse = stored.withoutSpecial !== after.withoutSpecial;
  const isOtherBirthday = isOtherUse || stored.fields.birthday !== after.fields.birthday;
  const left = [...timed.values()].filter(([one]) => {
    if (!one) return false;
    const { usedFrom, valuesOf } = one.rule.field;
    return (isOtherUse && usedFrom !== undefined) || !isDeepStrictEqual(valuesOf(stored), valuesOf(after));
  });
  if (!isOtherBirthday && left.length === 0) return none;
  return new Map([...(isOtherBirthday ? bandsOf(stored, span) : none), ...heldOf(stored, span, left.flat())]);
};

/**
 * The timed segments that a profile enters or leaves in a span, after its first day. That it is in one on the first day and
 * on the last does not show that nothing has changed: a write in between may have indexed a day without it.
 */
export const changedSegmentsOf = (
  profile: ResolvedProfile,
  span: TimeSpan,
  rules: readonly KnownCondition[],
): Found => {
  const days = daysOf(span);
  const changed = rules.filter(({ rule }) =>
    rule.daysOf(profile, days).some(({ from, to }) => from > days.from || to < days.to),
  );
  const bands = bandsBetween(profile, span);
  return new Map([...(bands.size > 1 ? withoutHidden(profile, bands) : none), ...namesOf(changed)]);
};

const none: Found = new Map<string, never>();

const daysOf = ({ from, to }: TimeSpan): DayRange => ({ from: utcDayOf(from), to: utcDayOf(to) });

const heldOf = (profile: ResolvedProfile, span: TimeSpan, conditions: readonly KnownCondition[]): Found =>
  namesOf(conditions.filter(({ rule }) => rule.daysOf(profile, daysOf(span)).length > 0));

const namesOf = (conditions: readonly KnownCondition[]): Found =>
  new Map(conditions.map(({ identity }) => [identityKey(identity), identity]));

const bandsOf = (profile: ResolvedProfile, span: TimeSpan): Found =>
  withoutHidden(profile, bandsBetween(profile, span));

const bandsBetween = ({ fields: { birthday } }: ResolvedProfile, { from, to }: TimeSpan): Found => {
  const found = new Map<string, IndexedIdentity>();
  if (birthday === null) return found;
  for (let age = ageOn(birthday, from); age <= ageOn(birthday, to); age += 1)
    for (const [key, identity] of ageSegments(age)) found.set(key, identity);
  return found;
};

/** Bands of a profile without that of minors, where special categories are not used. */
const withoutHidden = ({ withoutSpecial }: ResolvedProfile, bands: Found): Found =>
  withoutSpecial ? new Map([...bands].filter(([key]) => key !== MINORS)) : bands;

const [[MINORS] = []] = ageSegments(0);
