/** Examples of conditions, as documents tell them. The search over random ones is in `rules.test.ts`. */
import { describe, expect, it } from 'vitest';
import { canonicalOf } from '../../../shared/catalogue/conditions/canonical.ts';
import { foldText } from '../../../shared/catalogue/conditions/read-value.ts';
import { ruleOf, unreadableFor } from '../../../shared/catalogue/conditions/rule.ts';
import type { Where } from '../../../shared/catalogue/conditions/shape.ts';
import type { ResolvedProfile } from '../../../shared/profiles/types.ts';
import { dayText, utcDay } from '../../../shared/runtime/utc-days.ts';
import { blank, surfaced } from '../../segments/profiles.ts';
import { holdsFor } from './holds-for.ts';

const at = (day: string): number => Date.parse(day);
const born = (birthday: string, more: Partial<ResolvedProfile> = {}): ResolvedProfile => ({
  ...{ ...surfaced(1), ...more },
  fields: { ...blank, birthday },
});
const withExtra = (extra: ResolvedProfile['extra']): ResolvedProfile => ({ ...surfaced(1), extra });

/** The ranges of days on which a condition holds in a year. */
const daysIn = (year: number, where: Where, profile: ResolvedProfile): readonly string[] =>
  ruleOf(where)
    .daysOf(profile, { from: utcDay(`${year}-01-01`), to: utcDay(`${year}-12-31`) })
    .map(({ from, to }) => `${shownDay(from)} to ${shownDay(to)}`);
const shownDay = (day: number): string => (Number.isFinite(day) ? dayText(day) : `${day}`);

describe('the days of a condition', () => {
  it('are those of a window around the day of the value', () => {
    const seen = withExtra({ seen: '2026-03-01 23:59:59' });
    const field = 'extra_data.seen';
    expect(daysIn(2026, { field, op: 'within_days', value: 90 }, seen)).toEqual(['2026-03-01 to 2026-05-30']);
    expect(daysIn(2026, { field, op: 'older_than_days', value: 90 }, seen)).toEqual([
      '2026-05-31 to Infinity',
    ]);
    expect(daysIn(2026, { field, op: 'within_next_days', value: 1 }, seen)).toEqual([
      '2026-02-28 to 2026-03-01',
    ]);
    expect(daysIn(2026, { field, op: 'before', value: '2026-03-02' }, seen)).toEqual([
      '-Infinity to Infinity',
    ]);
  });

  it('are those of all values of a list', () => {
    const visits = withExtra({ visits: ['2026-01-10', '2026-01-13', null, 'never', '2026-03-01'] });
    const where: Where = { field: 'extra_data.visits', op: 'within_days', value: 2 };
    expect(daysIn(2026, where, visits)).toEqual(['2026-01-10 to 2026-01-15', '2026-03-01 to 2026-03-03']);
    expect(ruleOf(where).compared(visits, at('2026-01-11'))).toEqual({
      values: ['2026-01-10'],
      until: '2026-01-15',
    });
    expect(holdsFor(unreadableFor(ruleOf(where)), visits, at('2026-01-11'))).toBe(true);
  });

  it('are those around a birthday, on 1 March where a year lacks 29 February', () => {
    const where: Where = { field: 'birthday', op: 'anniversary_within_days', value: 3 };
    expect(daysIn(2027, where, born('2000-02-29'))).toEqual(['2027-02-26 to 2027-03-01']);
    expect(daysIn(2028, where, born('2000-02-29'))).toEqual(['2028-02-26 to 2028-02-29']);
    expect(daysIn(2027, where, born('2000-01-02'))).toEqual([
      '2026-12-30 to 2027-01-02',
      // The days ahead of the next birthday begin in this year.
      '2027-12-30 to 2028-01-02',
    ]);
  });

  it('do not begin with the birth: the first anniversary is a year later', () => {
    const where: Where = { field: 'birthday', op: 'anniversary_within_days', value: 366 };
    expect(daysIn(2026, where, born('2025-06-01'))).toEqual(['2025-05-31 to Infinity']);
    const day: Where = { ...where, value: 1 };
    expect(daysIn(2025, day, born('2025-06-01'))).toEqual([]);
    expect(daysIn(2026, day, born('2025-06-01'))).toEqual(['2026-05-31 to 2026-06-01']);
  });

  it('are those of an age, which grows with the birthday', () => {
    const where: Where = { field: 'age', op: 'between', value: [18, 24.5] };
    expect(daysIn(2026, where, born('2008-02-29'))).toEqual(['2026-03-01 to 2033-02-28']);
    expect(daysIn(2026, where, { ...surfaced(1), age: 20 })).toEqual(['-Infinity to Infinity']);
    expect(daysIn(2026, where, { ...surfaced(1), age: 25 })).toEqual([]);
    expect(daysIn(2026, { field: 'age', op: 'lt', value: 1e300 }, born('2008-02-29'))).toEqual([
      '-Infinity to Infinity',
    ]);
  });

  it('begin when somebody is of age, where a property uses no special categories', () => {
    const young = born('2010-06-01', { withoutSpecial: true, age: 40 });
    for (const where of [
      { field: 'birthday', op: 'exists' },
      { field: 'birthday', op: 'before', value: '2011-01-01' },
      { field: 'age', op: 'gte', value: 10 },
    ] as const) {
      expect(daysIn(2028, where, young)).toEqual(['2028-06-01 to Infinity']);
      expect(ruleOf(where).isTimed).toBe(true);
    }
    expect(daysIn(2028, { field: 'age', op: 'lt', value: 18 }, young)).toEqual([]);
    expect(daysIn(2028, { field: 'birthday', op: 'anniversary_within_days', value: 1 }, young)).toEqual([
      '2028-06-01 to 2028-06-01',
    ]);
  });
});

describe('the values that a condition reads', () => {
  it('are the newest time of the tag with a name, in its own case', () => {
    const profile: ResolvedProfile = {
      ...surfaced(1),
      tags: [
        { tag: 'Concert', datetime: '2026-01-01 23:59:59' },
        { tag: 'Concert', datetime: '2026-02-01 00:00:00' },
        { tag: 'concert', datetime: '2026-03-01 00:00:00' },
      ],
    };
    const where: Where = { field: { tag: ' Concert' }, op: 'on', value: '2026-02-01' };
    expect(ruleOf(where).compared(profile, at('2026-05-01'))).toEqual({
      values: ['2026-02-01 00:00:00'],
      until: null,
    });
    expect(holdsFor(ruleOf({ ...where, value: '2026-01-01' }), profile, at('2026-05-01'))).toBe(false);
    expect(holdsFor(ruleOf({ field: { tag: 'Jazz' }, op: 'exists' }), profile, at('2026-05-01'))).toBe(false);
  });

  it('are the UTC day on which the profile was stored first, if that is known', () => {
    const where: Where = { field: 'created', op: 'within_days', value: 1 };
    const stored = { ...surfaced(1), created: at('2026-05-01T23:59:59.999Z') };
    expect(daysIn(2026, where, stored)).toEqual(['2026-05-01 to 2026-05-02']);
    expect(ruleOf(where).compared(stored, stored.created)).toEqual({
      values: ['2026-05-01'],
      until: '2026-05-02',
    });
    expect(daysIn(2026, where, surfaced(1))).toEqual([]);
  });

  it('are texts, numbers and days, whatever extra data holds', () => {
    const holds = (
      value: ResolvedProfile['extra'][string],
      op: 'eq' | 'in',
      wanted: string | number,
    ): boolean => {
      const field = 'extra_data.x';
      const where: Where = op === 'eq' ? { field, op, value: wanted } : { field, op, value: [`${wanted}`] };
      return holdsFor(ruleOf(where), withExtra({ x: value }), 0);
    };
    expect(holds('+5.0', 'eq', 5)).toBe(true);
    expect(holds('+5.0', 'eq', '5')).toBe(false);
    expect(holds(5, 'in', 5)).toBe(true);
    expect(holds(true, 'eq', 'True')).toBe(true);
    expect(holds(1, 'eq', 'true')).toBe(false);
    expect(holdsFor(ruleOf({ field: 'extra_data.x', op: 'exists' }), withExtra({ x: [null] }), 0)).toBe(
      false,
    );
  });
});

describe('a folded text', () => {
  it.each([
    ['Straße', 'STRASSE'],
    ['stra\u1e9ee', 'strasse'],
    ['\u0130zmir', 'i\u0307zmir'],
    ['\u0131zmir', 'IZMIR'],
    ['ΟΔΟΣ', 'οδος'],
    ['cafe\u0301', ' CAF\u00c9\u00a0'],
    ['soft', 'so\u00adft\u200b'],
    ['a b', 'a \u3000 b'],
  ])('%s is %s', (one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  it('begins as its beginning does, also within a word', () => {
    expect(foldText('οδοσα').startsWith(foldText('ΟΔΟΣ'))).toBe(true);
    expect(foldText('\u0130zmir')).not.toBe(foldText('izmir'));
  });
});

describe('a canonical form', () => {
  it.each([
    [{ field: 'city', op: 'in', value: ['b', 'A', 'B '] }, '["city","in",["A","B"]]'],
    [{ field: 'extra_data.x', op: 'in', value: [10, 9, 10] }, '["extra_data.x","in",[9,10]]'],
    [{ field: 'extra_data.x', op: 'eq', value: -0 }, '["extra_data.x","eq",0]'],
    [{ field: { tag: ' Concert' }, op: 'exists' }, '["{\\"tag\\":\\"Concert\\"}","exists",null]'],
    [
      { field: 'created', op: 'between', value: ['2026-01-01', '2026-02-01'] },
      '["created","between",["2026-01-01","2026-02-01"]]',
    ],
  ] satisfies [Where, string][])('of %j', (where, expected) => {
    expect(canonicalOf(where)).toBe(expected);
  });

  it('tells the tag of a name from the field of the same name', () => {
    const named = canonicalOf({ field: { tag: 'city' }, op: 'exists' });
    expect(named).not.toBe(canonicalOf({ field: 'city', op: 'exists' }));
  });
});
