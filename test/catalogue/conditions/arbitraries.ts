/** Random conditions and profiles that meet often: both draw from the same few values. */
import fc from 'fast-check';
import { operators, type Where } from '../../../shared/catalogue/conditions/shape.ts';
import type { ExtraValue, ResolvedProfile } from '../../../shared/profiles/types.ts';
import { isCalendarDate } from '../../../shared/http/text.ts';
import { dayText, utcDay } from '../../../shared/runtime/utc-days.ts';
import { surfaced } from '../../segments/profiles.ts';

const words = fc.constantFrom(
  ...[
    '80331',
    '80',
    ' 80\u00a0331',
    'Straße',
    'STRASSE',
    'stra\u1e9ee',
    'ss',
    'caf\u00e9',
    'CAFE\u0301',
    'e',
  ],
  ...[
    '\u0130zmir',
    'i\u0307zmir',
    'izmir',
    '\u0131zmir',
    'IZMIR',
    'ΟΔΟΣ',
    'οδος',
    'οδοσα',
    'ﬁn',
    'FIN',
    'ǆ',
    'ǅ',
  ],
  ...['yes', 'Yes ', '\u200byes', 'true', 'false', 'a  b', 'a\u3000b', 'so\u00adft', 'soft'],
);
/** What nobody sees is a value only where a profile has it. */
const invisible = fc.constantFrom('\u200b', ' \u00a0 ', '\u00ad');
const numbers = fc.constantFrom(-1, 0, 1, 5, 5.5, 17, 18, 29, 30, 500, 2 ** 53 - 1, 0.1);
const numberTexts = fc.constantFrom(
  ...[
    '5',
    '+5',
    '5.0',
    ' 5 ',
    '-1',
    '-0',
    '0.1',
    '.5',
    '5.',
    '1e3',
    '5,5',
    '0x5',
    '1_000',
    '\u0665',
    '--5',
    '5\u00a0',
    '500',
  ],
  ...['9007199254740991', '9007199254740993', '-9007199254740992', '0.123456789012345', '1.0000000000000001'],
);
export const days = fc.constantFrom(
  ...['2023-02-28', '2023-03-01', '2024-02-28', '2024-02-29', '2024-03-01', '2024-03-31', '2024-04-30'],
  ...['2024-12-31', '2025-01-01', '2025-02-28', '2025-03-01', '2025-12-31', '2026-01-01', '2028-02-29'],
);
const birthdays = fc.constantFrom(
  ...[
    '2000-02-29',
    '2004-02-29',
    '2006-02-28',
    '2006-03-01',
    '2007-01-01',
    '1990-12-31',
    '2006-12-31',
    '2024-02-29',
  ],
  ...['2025-12-30', '1900-03-01'],
);
const times = fc.constantFrom(
  ' 00:00:00',
  ' 23:59:59',
  'T00:00:00Z',
  'T12:30:00Z',
  ' 24:00:00',
  'T10:00:00',
  ' 1:2:3',
);
const noDays = fc.constantFrom(
  '2023-02-29',
  '2024-02-30',
  '2024-13-01',
  '2024-00-10',
  '2024-1-1',
  '24-01-01',
  '0000-01-01',
);
const dayTexts = fc.oneof(
  days,
  fc.tuple(days, times).map(([day, time]) => `${day}${time}`),
  noDays,
  days.map((day) => ` ${day}\u00a0`),
);
const scalars = fc.oneof(words, invisible, numberTexts, dayTexts, numbers, fc.boolean());
const extraValue: fc.Arbitrary<ExtraValue> = fc.oneof(
  { weight: 3, arbitrary: scalars },
  { weight: 1, arbitrary: fc.array(fc.oneof(scalars, fc.constant(null)), { maxLength: 4 }) },
);

const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 4 });
const textOrNull = orNull(fc.oneof(words, invisible, numberTexts));
const tagTimes = fc.tuple(days, fc.constantFrom(' 00:00:00', ' 23:59:59')).map(([day, time]) => day + time);
const tagNames = fc.constantFrom('Concert', 'concert', 'Concert\u00a0', 'caf\u00e9', 'cafe\u0301');
const createdTimes = fc
  .tuple(days, fc.constantFrom('T00:00:00.000Z', 'T23:59:59.999Z'))
  .map(([day, time]) => Date.parse(day + time));

/** The keys that conditions ask for; `__proto__` and keys with a dot are ordinary. */
const extraKeys = ['spend', 'a.b', '__proto__'] as const;

export const profiles: fc.Arbitrary<ResolvedProfile> = fc
  .record({
    fields: fc.record({
      ...{ zipcode: textOrNull, email: textOrNull, ethnicity: textOrNull, birthday: orNull(birthdays) },
    }),
    country: textOrNull,
    age: orNull(fc.constantFrom(0, 5, 17, 18, 29, 30)),
    tags: fc.array(fc.record({ tag: fc.oneof(tagNames, words), datetime: tagTimes }), { maxLength: 3 }),
    sources: fc.array(words, { maxLength: 2 }),
    created: orNull(createdTimes),
    withoutSpecial: fc.boolean(),
    extra: fc.array(fc.tuple(fc.constantFrom(...extraKeys), extraValue), { maxLength: 3 }),
  })
  .map(({ fields, extra, ...rest }) => {
    const blank = surfaced(1);
    return { ...blank, ...rest, fields: { ...blank.fields, ...fields }, extra: Object.fromEntries(extra) };
  });

const texts = fc.oneof(words, numberTexts, days);
const counts = fc.constantFrom(1, 2, 27, 28, 30, 31, 59, 60, 364, 365, 366);

const textField = fc.constantFrom('zipcode', 'email', 'ethnicity', 'country', 'tag', 'source');
const extraField = fc.constantFrom(...extraKeys.map((key) => `extra_data.${key}`));
const tagField = tagNames.map((tag) => ({ tag }));
const dayField: fc.Arbitrary<Where['field']> = fc.oneof(fc.constantFrom('birthday', 'created'), tagField);

const inOrder = <T extends string | number>(pair: readonly [T, T]): [T, T] =>
  pair[0] <= pair[1] ? [pair[0], pair[1]] : [pair[1], pair[0]];

const ofTexts = (field: fc.Arbitrary<Where['field']>): fc.Arbitrary<Where> =>
  fc.oneof(
    fc.record({ field, op: fc.constant('exists' as const) }),
    fc.record({ field, op: fc.constant('eq' as const), value: texts }),
    fc.record({
      field,
      op: fc.constant('in' as const),
      value: fc.array(texts, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ field, op: fc.constantFrom('starts_with' as const, 'contains' as const), value: texts }),
  );

const ofNumbers = (field: fc.Arbitrary<Where['field']>): fc.Arbitrary<Where> =>
  fc.oneof(
    fc.record({ field, op: fc.constant('exists' as const) }),
    fc.record({ field, op: fc.constant('eq' as const), value: numbers }),
    fc.record({
      field,
      op: fc.constant('in' as const),
      value: fc.array(numbers, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      field,
      op: fc.constantFrom('lt' as const, 'lte' as const, 'gt' as const, 'gte' as const),
      value: numbers,
    }),
    fc.record({ field, op: fc.constant('between' as const), value: fc.tuple(numbers, numbers).map(inOrder) }),
  );

const ofDays = (field: fc.Arbitrary<Where['field']>): fc.Arbitrary<Where> => {
  const named = fc.oneof(days, birthdays);
  return fc.oneof(
    fc.record({ field, op: fc.constant('exists' as const) }),
    fc.record({
      field,
      op: fc.constantFrom('before' as const, 'after' as const, 'on' as const),
      value: named,
    }),
    fc.record({ field, op: fc.constant('between' as const), value: fc.tuple(named, named).map(inOrder) }),
    fc.record({
      field,
      op: fc.constantFrom('within_days' as const, 'older_than_days' as const, 'within_next_days' as const),
      value: counts,
    }),
  );
};

const ofBirthdays: fc.Arbitrary<Where> = fc.record({
  field: fc.constant('birthday'),
  op: fc.constantFrom(...operators.birthday),
  value: counts,
});

export const conditions: fc.Arbitrary<Where> = fc.oneof(
  ofTexts(fc.oneof(textField, extraField)),
  ofNumbers(fc.oneof(fc.constant('age'), extraField)),
  ofDays(fc.oneof(dayField, extraField)),
  ofBirthdays,
);

/** A condition, a profile and a day. The profile mostly has a value near the bound of the condition. */
export const cases: fc.Arbitrary<readonly [Where, ResolvedProfile, string]> = fc
  .tuple(conditions, profiles, days)
  .chain(([where, profile, today]) =>
    fc.option(valueNear(where, today), { freq: 8 }).map((value) => {
      const near = value === null ? profile : withValue(profile, where.field, value);
      return [where, near, today] as const;
    }),
  );

const oneOff = fc.constantFrom(-1, 0, 1);

const valueNear = (where: Where, today: string): fc.Arbitrary<string | number> => {
  const dayNear = (day: number): fc.Arbitrary<string> => oneOff.map((off) => dayText(day + off));
  const now = utcDay(today);
  if (where.op === 'exists') return words;
  if (where.op === 'within_days' || where.op === 'older_than_days') return dayNear(now - where.value);
  if (where.op === 'within_next_days') return fc.oneof(dayNear(now + where.value), dayNear(now));
  if (where.op === 'anniversary_within_days')
    return fc.oneof(dayNear(sameDay(now + where.value, 20)), dayNear(sameDay(now, 20)));
  return fc
    .constantFrom<(string | number)[]>(...[where.value].flat())
    .chain((value) => (typeof value === 'string' ? textNear(value) : numberNear(where.field, value, now)));
};

const textNear = (text: string): fc.Arbitrary<string> =>
  isCalendarDate(text)
    ? oneOff.map((off) => dayText(utcDay(text) + off))
    : fc.constantFrom(text, `${text}x`, `x${text}`, text.toUpperCase(), text.toLowerCase());

const numberNear = (field: Where['field'], number: number, now: number): fc.Arbitrary<string | number> => {
  const near = fc.constantFrom(-1, -0.5, 0, 0.5, 1).map((off) => number + off);
  if (field !== 'age') return fc.oneof(near, near.map(String));
  const years = Math.min(Math.max(Math.round(number), 0), 100);
  return fc.tuple(oneOff, oneOff).map(([off, year]) => dayText(sameDay(now, years + year) + off));
};

/** The same day so many years earlier. */
const sameDay = (day: number, years: number): number => {
  const [year = 0, month = 1, date = 1] = dayText(day).split('-').map(Number);
  return Date.UTC(year - years, month - 1, date) / 86_400_000;
};

const withValue = (
  profile: ResolvedProfile,
  field: Where['field'],
  value: string | number,
): ResolvedProfile => {
  const { fields, tags, sources, extra } = profile;
  const text = String(value);
  const day = /^\d{4}-\d\d-\d\d/.exec(text)?.[0];
  if (typeof field !== 'string')
    return day === undefined
      ? profile
      : { ...profile, tags: [...tags, { tag: field.tag, datetime: `${day} 00:00:00` }] };
  if (field.startsWith('extra_data.'))
    return { ...profile, extra: Object.fromEntries([...Object.entries(extra), [field.slice(11), value]]) };
  if (field === 'tag') return { ...profile, tags: [...tags, { tag: text, datetime: '2024-01-01 00:00:00' }] };
  if (field === 'source') return { ...profile, sources: [...sources, text] };
  if (field === 'country') return { ...profile, country: text };
  if (field === 'created') return day === undefined ? profile : { ...profile, created: Date.parse(day) };
  const isOfBirth = field === 'age' || field === 'birthday';
  if (isOfBirth) return day === undefined ? profile : { ...profile, fields: { ...fields, birthday: day } };
  return { ...profile, fields: { ...fields, [field]: text } };
};
