/** Rule: a condition that is compiled once, and judges profiles. */
import type { ResolvedProfile } from '../../profiles/types.ts';
import { utcDayOf } from '../../runtime/utc-days.ts';
import { endOf, mergedRanges, rangeFrom, touches, type DayRange } from './day-ranges.ts';
import { fieldOf, type Field, type FieldValues } from './fields.ts';
import { ReadValue } from './read-value.ts';
import type { Where } from './shape.ts';
import { unreadBy, verdictOf, type Verdict } from './verdict.ts';

/** What makes a condition hold for a profile. */
export interface Compared {
  /** The values, as they are stored; a boolean as `true` or `false`. For `age`, the birthday or the stated age. */
  readonly values: readonly (string | number)[];
  /** The last UTC day on which the person is a member (`YYYY-MM-DD`), if nothing is written. Null without an end. */
  readonly until: string | null;
}

/** A condition, ready for a `RuleSet`, which judges profiles. It does not ask whether the profile is somebody: see `derive.ts`. */
export interface Rule {
  readonly field: Field;
  readonly verdict: Verdict;
  /**
   * Whether a verdict may change with time alone: windows, anniversaries and ages. So may everything about a birthday,
   * which a property without special categories uses from the day on which the person is of age.
   */
  readonly isTimed: boolean;
  /**
   * The UTC days on which the person is a member, if nothing is written: the ranges that touch a span, in order and not
   * cut, with a gap between each two. `RuleSet` says the same of each day. The span must be finite.
   */
  readonly daysOf: (profile: ResolvedProfile, span: DayRange) => readonly DayRange[];
  /** What makes the condition hold at a time (epoch milliseconds); no values where it does not hold. */
  readonly compared: (profile: ResolvedProfile, now: number) => Compared;
}

/** Compiles a condition that the schema has taken. */
export const ruleOf = (where: Where): Rule => ruleBy(fieldOf(where.field), verdictOf(where));

/** The rule that holds for whoever has a value that the operator of another rule cannot read. */
export const unreadableFor = ({ field, verdict }: Rule): Rule => ruleBy(field, unreadBy(verdict));

const ruleBy = (field: Field, verdict: Verdict): Rule => {
  const rangesOf = (profile: ResolvedProfile, value: ReadValue, span: DayRange): readonly DayRange[] => {
    const from = usedFrom(field, profile);
    return verdict.rangesOf(value, span).map((range) => rangeFrom(range, from));
  };
  const holdsFor = (profile: ResolvedProfile, value: ReadValue, today: number): boolean =>
    isIn(rangesOf(profile, value, onDay(today)), today);
  const daysOf: Rule['daysOf'] = (profile, span) =>
    mergedRanges(
      readValues(field.valuesOf(profile)).flatMap((value) => rangesOf(profile, value, span)),
    ).filter((range) => touches(range, span));
  return {
    field,
    verdict,
    isTimed: verdict.test === undefined || field.comesOfAge === true,
    daysOf,
    compared: (profile, now) => {
      const today = utcDayOf(now);
      const values = readValues(field.valuesOf(profile)).filter((value) => holdsFor(profile, value, today));
      const [range] = daysOf(profile, onDay(today));
      return { values: values.map(({ stored }) => stored), until: range ? endOf(range) : null };
    },
  };
};

/** The UTC day from which on the values of a profile are used. */
export const usedFrom = ({ usedFrom: from }: Field, profile: ResolvedProfile): number =>
  from ? from(profile) : Number.NEGATIVE_INFINITY;

/** A span of one day. */
export const onDay = (day: number): DayRange => ({ from: day, to: day });

/** Whether a day is in one of some ranges. */
export const isIn = (ranges: readonly DayRange[], day: number): boolean =>
  ranges.some(({ from, to }) => from <= day && day <= to);

/** The values of a field that somebody sees. */
const readValues = (values: FieldValues): readonly ReadValue[] =>
  (isList(values) ? values : [values])
    .flatMap((value) => (value === null ? [] : [new ReadValue(value)]))
    .filter(({ line }) => line !== '');

/** Whether a field has a list of values. */
export const isList = (values: FieldValues): values is Extract<FieldValues, readonly unknown[]> =>
  Array.isArray(values);
