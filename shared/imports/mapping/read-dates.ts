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
/** Forms with one reading only: the year first, or the month in English words. A time of day behind it is dropped. */
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
  // By far the most frequent form, and it is the answer's own.
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

/** A date as `YYYY-MM-DD`, from forms with one reading only; `undefined` when it is none of them or no real day. */
export const readDate = (text: string): string | undefined => read(text, unambiguous);
/** Like `readDate`, and numbers are day, month, year. */
export const readDayFirst = (text: string): string | undefined => read(text, dayFirst);
/** Like `readDate`, and numbers are month, day, year. */
export const readMonthFirst = (text: string): string | undefined => read(text, monthFirst);
