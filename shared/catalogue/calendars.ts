/**
 * Calendars: hidden segments by which a daily job finds the people whose segments change with time alone. They are in the
 * index, but not in the catalogue, so that no list, name, definition or export can reach them.
 */
import { limits } from '../config/limits.ts';
import { twoDigits } from '../profiles/age.ts';
import type { ResolvedProfile } from '../profiles/types.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import { scopedId } from '../table/scoped-ids.ts';
import type { Field } from './conditions/fields.ts';
import { ReadValue, type Scalar } from './conditions/read-value.ts';
import { isList } from './conditions/rule.ts';
import type { IndexedIdentity } from './types.ts';

/** A hidden segment: no claim gives its id. */
export interface HiddenSegment extends IndexedIdentity {
  readonly type: 'calendar';
  readonly id: number;
}

/** The hidden segments of one kind, and those of a profile. */
export interface Calendar {
  readonly segments: readonly HiddenSegment[];
  readonly of: (profile: ResolvedProfile) => readonly HiddenSegment[];
}

/** The last ids of a property, which the counter of segments never reaches, are those of hidden segments. */
const FIRST_HIDDEN = 990_000_000;

/** The first id of birth months: as release 0.2.0 has it. */
const FIRST_MONTH = 999_999_900;

/** Residues of a calendar of days. A job that is no more than a month behind looks at a part of the people. */
export const DAY_RESIDUES = 32;

/** Calendars of days that a property may have one after another: they have the ids below the birth months. */
export const DAY_CALENDARS = Math.floor((FIRST_MONTH - FIRST_HIDDEN) / DAY_RESIDUES);

/** Whether an id is that of a hidden segment of a property. */
export const isHiddenId = (property: number, id: number): boolean => id >= scopedId(property, FIRST_HIDDEN);

/** The id of the hidden segment of all people born in a month (1–12). */
export const birthMonthId = (property: number, month: number): number =>
  scopedId(property, FIRST_MONTH + month);

/** The calendar of birth months: in its segment are the people who may change age band in a month. */
export const birthMonths = (property: number): Calendar => {
  const segments = Array.from({ length: 12 }, (_, index): HiddenSegment => ({
    type: 'calendar',
    path: ['birthday'],
    name: twoDigits(index + 1),
    id: birthMonthId(property, index + 1),
  }));
  return {
    segments,
    of: ({ fields: { birthday } }) => {
      const month = birthday === null ? undefined : segments[Number(birthday.slice(5, 7)) - 1];
      return month ? [month] : [];
    },
  };
};

/** The id of the first hidden segment of a calendar of days. */
export const dayCalendarId = (property: number, slot: number): number =>
  scopedId(property, FIRST_HIDDEN + slot * DAY_RESIDUES);

/** The ids of the hidden segments of a calendar of days, given the first one, in order of residue. */
export const dayCalendarIds = (first: number): readonly number[] =>
  Array.from({ length: DAY_RESIDUES }, (_, residue) => first + residue);

/** The calendar of a field, by the days of its values. */
export interface DayCalendar extends Calendar {
  readonly slot: number;
  /** The key of the field. */
  readonly field: string;
}

/** The residue of a UTC day (days since 1970-01-01), which says in which segment of a calendar a value is. */
export const residueOf = (day: number): number => ((day % DAY_RESIDUES) + DAY_RESIDUES) % DAY_RESIDUES;

/**
 * The calendar of days of a field: somebody is in the segment of the residue of each day in it. It does not ask whether the
 * value counts today, so it changes with writes only.
 */
export const dayCalendar = (
  property: number,
  slot: number,
  { key, valuesOf }: Pick<Field, 'key' | 'valuesOf'>,
): DayCalendar => {
  const segments = dayCalendarIds(dayCalendarId(property, slot)).map((id, residue): HiddenSegment => ({
    type: 'calendar',
    path: ['days', String(slot)],
    name: twoDigits(residue),
    key: `calendar ${id}`,
    id,
  }));
  // People share most days.
  const known = new BoundedMap<Scalar, readonly HiddenSegment[]>(limits.conditions.knownValues);
  const segmentOf = (value: Scalar | null): readonly HiddenSegment[] => {
    if (value === null) return none;
    const found = known.get(value);
    if (found) return found;
    const { day } = new ReadValue(value);
    const read = day === null ? none : segments.slice(residueOf(day), residueOf(day) + 1);
    if (String(value).length <= limits.conditions.knownCharacters) known.set(value, read);
    return read;
  };
  const of = (profile: ResolvedProfile): readonly HiddenSegment[] => {
    const values = valuesOf(profile);
    return isList(values) ? [...new Set(values.flatMap(segmentOf))] : segmentOf(values);
  };
  return { slot, field: key, segments, of };
};

const none: readonly HiddenSegment[] = [];
