/** Due segments: the hidden segments in which somebody may enter or leave a segment with the days that have passed. */
import { birthMonthId, DAY_RESIDUES, dayCalendarId } from '../../catalogue/calendars.ts';
import type { Conditions, KnownCondition } from '../../catalogue/conditions/known-conditions.ts';
import { monthsBetween, residuesBetween, type Day } from './days.ts';

/** A hidden segment whose people are due. */
export interface Due {
  /** Its place in the walk, in which it keeps it: 1 to 12 for the months, as release 0.2.0 has them, then the days. */
  readonly place: number;
  readonly segment: number;
  /** What these people may enter or leave, besides the age bands. */
  readonly rules: readonly KnownCondition[];
}

const MONTHS = 12;

/** What is due on the days after `last` up to and including `day`, in the order of the walk. */
export const dueBetween = (
  property: number,
  { timed, calendars }: Pick<Conditions, 'timed' | 'calendars'>,
  last: Day,
  day: Day,
): readonly Due[] => {
  const ofBirthdays = [...timed.values()].flat().filter(({ rule }) => rule.field.comesOfAge);
  // Age bands begin and end on birthdays, and so does the use of a birthday that is a special category.
  const months = monthsBetween(last, day, [0, ...changesAfter(ofBirthdays)]);
  const days = calendars.flatMap(({ slot, field }) => {
    const rules = timed.get(field) ?? [];
    return residuesBetween(last, day, changesAfter(rules)).map((residue) => ({
      place: MONTHS + slot * DAY_RESIDUES + residue + 1,
      segment: dayCalendarId(property, slot) + residue,
      rules,
    }));
  });
  return [
    ...months.map((month) => ({ place: month, segment: birthMonthId(property, month), rules: ofBirthdays })),
    ...days.sort((one, other) => one.place - other.place),
  ];
};

const changesAfter = (rules: readonly KnownCondition[]): readonly number[] => [
  ...new Set(rules.flatMap(({ rule }) => rule.verdict.changesAfter ?? [])),
];
