/**
 * Conditions as a reader of the documents would check them by hand: texts letter by letter, days by a calendar of its own.
 * It shares no rule with the code under test.
 */
import type { Where } from '../../../shared/catalogue/conditions/shape.ts';
import type { ResolvedProfile } from '../../../shared/profiles/types.ts';

/** Whether a condition holds for a profile on a day (`YYYY-MM-DD`). */
export const holdsPlainly = (where: Where, profile: ResolvedProfile, today: string): boolean =>
  plainValues(where.field, profile, today).some((value) => meets(where, value, today));

/** Whether a profile has a value of the field that the operator cannot read. */
export const isUnreadable = (where: Where, profile: ResolvedProfile, today: string): boolean =>
  plainValues(where.field, profile, today).some((value) => {
    if (where.op === 'exists') return false;
    const [first] = 'value' in where ? [where.value].flat() : [];
    const isOfNumbers = ['lt', 'lte', 'gt', 'gte'].includes(where.op);
    const isOfTexts = ['starts_with', 'contains'].includes(where.op);
    if (where.field === 'age' || isOfTexts) return false;
    if (isOfNumbers || (['eq', 'in', 'between'].includes(where.op) && typeof first === 'number'))
      return typeof value === 'string' && plainNumber(value) === undefined;
    if (where.op === 'eq' || where.op === 'in') return false;
    return plainDay(String(value)) === undefined;
  });

/** The values of a field that a property uses on a day; booleans as words. */
const plainValues = (
  field: Where['field'],
  profile: ResolvedProfile,
  today: string,
): readonly (string | number)[] => {
  const { fields, withoutSpecial } = profile;
  const isYoung = fields.birthday !== null && plainAge(fields.birthday, today) < 18;
  if (typeof field !== 'string') {
    const times = profile.tags.filter(({ tag }) => plainText(tag) === plainText(field.tag));
    return times
      .map(({ datetime }) => datetime)
      .toSorted()
      .slice(-1);
  }
  if (field === 'tag') return seen(profile.tags.map(({ tag }) => tag));
  if (field === 'source') return seen(profile.sources);
  if (field === 'country') return seen([profile.country]);
  if (field === 'created')
    return profile.created === null ? [] : [new Date(profile.created).toISOString().slice(0, 10)];
  if (field === 'age') {
    if (fields.birthday !== null) {
      return withoutSpecial && isYoung ? [] : [plainAge(fields.birthday, today)];
    }
    return profile.age === null || (withoutSpecial && profile.age < 18) ? [] : [profile.age];
  }
  if (field === 'birthday') return withoutSpecial && isYoung ? [] : seen([fields.birthday]);
  if (field === 'ethnicity' && withoutSpecial) return [];
  if (field.startsWith('extra_data.')) {
    const [, value] = Object.entries(profile.extra).find(([key]) => `extra_data.${key}` === field) ?? [];
    return seen([value ?? null].flat());
  }
  const [, text] = Object.entries(fields).find(([name]) => name === field) ?? [];
  return seen([text ?? null]);
};

const seen = (values: readonly (string | number | boolean | null)[]): readonly (string | number)[] =>
  values.flatMap((value): readonly (string | number)[] => {
    if (typeof value === 'number') return [value];
    return value === null || plainText(String(value)) === '' ? [] : [String(value)];
  });

const meets = (where: Where, value: string | number, today: string): boolean => {
  const text = upperText(String(value));
  const number = typeof value === 'number' ? value : plainNumber(value);
  const day = typeof value === 'number' ? undefined : plainDay(value);
  const is = (one: string | number): boolean =>
    typeof one === 'number' ? number === one : text === upperText(one);
  const since = day === undefined ? NaN : countOf(today) - countOf(day);
  switch (where.op) {
    case 'exists':
      return true;
    case 'eq':
      return is(where.value);
    case 'in':
      return where.value.some((one) => is(one));
    case 'starts_with':
      return text.slice(0, upperText(where.value).length) === upperText(where.value);
    case 'contains':
      return text.split(upperText(where.value)).length > 1;
    case 'lt':
      return number !== undefined && number < where.value;
    case 'lte':
      return number !== undefined && !(number > where.value);
    case 'gt':
      return number !== undefined && number > where.value;
    case 'gte':
      return number !== undefined && !(number < where.value);
    case 'between': {
      const [low, high] = where.value;
      if (typeof low === 'number' && typeof high === 'number')
        return number !== undefined && !(number < low) && !(number > high);
      return day !== undefined && !(day < String(low)) && !(day > String(high));
    }
    case 'before':
      return day !== undefined && day < where.value;
    case 'after':
      return day !== undefined && day > where.value;
    case 'on':
      return day === where.value;
    case 'within_days':
      return since >= 0 && since <= where.value;
    case 'older_than_days':
      return since > where.value;
    case 'within_next_days':
      return since <= 0 && since >= -where.value;
    case 'anniversary_within_days':
      return day !== undefined && isCelebratedWithin(day, where.value, today);
  }
};

/** Looks at each day from today on. */
const isCelebratedWithin = (birthday: string, days: number, today: string): boolean => {
  let day = today;
  for (let ahead = 0; ahead <= days; ahead += 1) {
    const year = Number(day.slice(0, 4));
    const late = birthday.endsWith('-02-29') && !isLeap(year) && day.endsWith('-03-01');
    if (year > Number(birthday.slice(0, 4)) && (late || day.slice(5) === birthday.slice(5))) return true;
    day = dayAfter(day);
  }
  return false;
};

const plainAge = (birthday: string, today: string): number => {
  const hadBirthday = today.slice(5) >= birthday.slice(5);
  return Number(today.slice(0, 4)) - Number(birthday.slice(0, 4)) - (hadBirthday ? 0 : 1);
};

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const lengthOf = (year: number, month: number): number =>
  [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;

const written = (year: number, month: number, day: number): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

const partsOf = (day: string): readonly [number, number, number] => [
  Number(day.slice(0, 4)),
  Number(day.slice(5, 7)),
  Number(day.slice(8, 10)),
];

/** The day after a day. */
export const dayAfter = (text: string): string => {
  const [year, month, day] = partsOf(text);
  if (day < lengthOf(year, month)) return written(year, month, day + 1);
  return month < 12 ? written(year, month + 1, 1) : written(year + 1, 1, 1);
};

/** The number of a day, counted from 1 January of the year 1800. */
const countOf = (text: string): number => {
  const [year, month, day] = partsOf(text);
  let count = day;
  for (let one = Math.min(1_800, year); one < Math.max(1_800, year); one += 1)
    count += (year > 1_800 ? 1 : -1) * (isLeap(one) ? 366 : 365);
  for (let one = 1; one < month; one += 1) count += lengthOf(year, one);
  return count;
};

const nobodySees = new Set(['\u200b', '\u00ad', '\u2060']);
const blanks = new Set(['\u00a0', '\u3000', '\t', '\n']);

const plainText = (text: string): string =>
  Array.from(text)
    .filter((letter) => !nobodySees.has(letter))
    .map((letter) => (blanks.has(letter) ? ' ' : letter))
    .join('')
    .normalize('NFC')
    .split(' ')
    .filter((word) => word !== '')
    .join(' ');

const capitals: Readonly<Record<string, string>> = {
  ...{ ο: 'Ο', δ: 'Δ', α: 'Α' },
  ...{ ß: 'SS', ẞ: 'SS', ς: 'Σ', σ: 'Σ', ı: 'I', é: 'É', ü: 'Ü', ﬁ: 'FI', ǆ: 'Ǆ', ǅ: 'Ǆ' },
};

const upperText = (text: string): string =>
  Array.from(plainText(text))
    .map((letter) => capitals[letter] ?? (letter >= 'a' && letter <= 'z' ? upperOf(letter) : letter))
    .join('')
    .normalize('NFC');

const upperOf = (letter: string): string => String.fromCodePoint((letter.codePointAt(0) ?? 0) - 32);

const isDigits = (text: string): boolean =>
  text !== '' && Array.from(text).every((letter) => '0123456789'.includes(letter));

const plainNumber = (sent: string): number | undefined => {
  const text = plainText(sent);
  const unsigned = text.startsWith('+') || text.startsWith('-') ? text.slice(1) : text;
  const parts = unsigned.split('.');
  if (parts.length > 2 || !parts.every(isDigits)) return undefined;
  // A number that a double cannot tell from others is none.
  if (parts.length === 1) return BigInt(unsigned) < 2n ** 53n ? Number(text) : undefined;
  let significant = parts.join('');
  while (significant.startsWith('0')) significant = significant.slice(1);
  return significant.length <= 15 ? Number(text) : undefined;
};

const plainDay = (sent: string): string | undefined => {
  const text = plainText(sent);
  const [date = '', time, ...rest] = text.split(text.includes('T') ? 'T' : ' ');
  if (rest.length > 0 || date.length !== 10 || date[4] !== '-' || date[7] !== '-') return undefined;
  if (![date.slice(0, 4), date.slice(5, 7), date.slice(8)].every(isDigits)) return undefined;
  const [year, month, day] = partsOf(date);
  if (year < 1 || day < 1 || day > lengthOf(year, month)) return undefined;
  if (time === undefined) return date;
  const isUtc = text.includes('T') ? time.endsWith('Z') : !time.endsWith('Z');
  const clock = time.replace('Z', '').split(':');
  const isClock = clock.length === 3 && clock.every((part) => part.length === 2 && isDigits(part));
  const [hours = 99, minutes = 99, seconds = 99] = clock.map(Number);
  return isUtc && isClock && hours < 24 && minutes < 60 && seconds < 60 ? date : undefined;
};
