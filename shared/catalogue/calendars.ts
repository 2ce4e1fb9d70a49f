/**
 * Calendars: hidden segments by which a daily job finds the people whose segments change with time alone. They are in the
 * index, but not in the catalogue, so that no list, name, definition or export can reach them.
 */
import { scopedId } from '../table/scoped-ids.ts';
import type { ResolvedProfile } from '../profiles/types.ts';
import { twoDigits } from '../profiles/age.ts';
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
