import { isCalendarDate } from '../../profiles/text-rules.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthName =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';

type Part = 'year' | 'month' | 'day';
interface Form {
  readonly pattern: RegExp;
  readonly parts: readonly [Part, Part, Part];
}

const form = (pattern: RegExp, ...parts: Form['parts']): Form => ({ pattern, parts });

const iso = /^\d{4}-\d\d-\d\d$/;

/** Unambiguous forms: the year comes first, or the month is an English word. A time of day after the date is ignored. */
const unambiguous: readonly Form[] = [
  form(/^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ]\d{1,2}:\d{2}.{0,20})?$/, 'year', 'month', 'day'),
  form(/^(\d{4})()(\d{2})(\d{2})$/, 'year', 'month', 'day'),
  form(new RegExp(`^(\\d{1,2})([- ])(${monthName})\\2(\\d{4})$`, 'i'), 'day', 'month', 'year'),
  form(new RegExp(`^(${monthName})( )(\\d{1,2}),? (\\d{4})$`, 'i'), 'month', 'day', 'year'),
];
const numeric = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/;
const dayFirst = [form(numeric, 'day', 'month', 'year'), ...unambiguous];
const monthFirst = [form(numeric, 'month', 'day', 'year'), ...unambiguous];

const read = (text: string, forms: readonly Form[]): string | undefined => {
  // The most frequent form, which needs no conversion.
  if (iso.test(text)) return isCalendarDate(text) ? text : undefined;
  for (const { pattern, parts } of forms) {
    const [, first, , second, third] = pattern.exec(text.trim()) ?? [];
    if (first === undefined || second === undefined || third === undefined) continue;
    const found = [first, second, third];
    const part = (name: Part): string => found[parts.indexOf(name)] ?? '';
    const day = `${part('year')}-${monthOf(part('month'))}-${part('day').padStart(2, '0')}`;
    return isCalendarDate(day) ? day : undefined;
  }
  return undefined;
};

const monthOf = (text: string): string => {
  const named = months.indexOf(text.slice(0, 3).toLowerCase());
  return (named === -1 ? text : String(named + 1)).padStart(2, '0');
};

/**
 * Reads an unambiguous date and returns it as `YYYY-MM-DD`; `undefined` for other forms and for days that do not exist.
 */
export const readDate = (text: string): string | undefined => read(text, unambiguous);

/** Like `readDate`, and reads three numbers as day, month, year. */
export const readDayFirst = (text: string): string | undefined => read(text, dayFirst);

/** Like `readDate`, and reads three numbers as month, day, year. */
export const readMonthFirst = (text: string): string | undefined => read(text, monthFirst);
