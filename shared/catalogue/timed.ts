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

/** Timed segments of a profile. */
interface TimedSegments {
  /** Age bands, by `identityKey`. */
  readonly bands: Found;
  /** Lists of ids of conditions. */
  readonly conditions: readonly (readonly number[])[];
}

/** The timed segments in which a profile is at any time of a span. */
export const timedSegmentsOf = (
  profile: ResolvedProfile,
  span: TimeSpan,
  { timedFields }: Pick<Conditions, 'timedFields'>,
): TimedSegments => ({
  bands: bandsOf(profile, span),
  conditions: timedFields.map((field) => field.during(profile, daysOf(span))),
});

/**
 * Those of them that a stored profile may leave for good because of what is written: the daily job finds nobody any more by
 * a value that is gone.
 */
export const leftSegmentsOf = (
  stored: ResolvedProfile,
  after: ResolvedProfile,
  span: TimeSpan,
  { timedFields }: Pick<Conditions, 'timedFields'>,
): TimedSegments => {
  const isOtherUse = stored.withoutSpecial !== after.withoutSpecial;
  const isOtherBirthday = isOtherUse || stored.fields.birthday !== after.fields.birthday;
  const left = timedFields.filter(
    ({ field: { usedFrom, valuesOf } }) =>
      (isOtherUse && usedFrom !== undefined) || !isDeepStrictEqual(valuesOf(stored), valuesOf(after)),
  );
  return {
    bands: isOtherBirthday ? bandsOf(stored, span) : none,
    conditions: left.map((field) => field.during(stored, daysOf(span))),
  };
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
