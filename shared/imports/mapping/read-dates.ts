/** Dates: reads the spellings of dates in files, for the transformations `date`, `date_dmy`, `date_mdy` and `date_ymd`. */
import { isCalendarDate } from '../../http/text.ts';
import { visibleText } from '../../runtime/visible-text.ts';
import type { CellFault, Transformed } from './cell-fault.ts';
import { dayIn, readInstant } from './read-instants.ts';

/** Options of the transformations of dates. */
export interface DateOptions {
  /** The last two-digit year of the 2000s; years need four digits without it. */
  readonly pivot?: number | undefined;
  /** The time zone in which a time with an offset, such as `1980-06-01T22:00:00Z`, is a day. */
  readonly timezone?: string | undefined;
}

/** A time of day after the date, which is ignored. */
const time = String.raw`(?:(?:T|,? )\d{1,2}:\d{2}.{0,60})?`;
const form = (pattern: string): RegExp => new RegExp(`^${pattern}${time}$`, 'iu');

const year = String.raw`(?<year>\d{4})`;
const twoDigitYear = String.raw`(?<year>\d{2})`;
const anyYear = String.raw`(?<year>\d{4}|\d{2})`;
const month = String.raw`(?<month>\d{1,2})`;
const day = String.raw`(?<day>\d{1,2})`;
const word = String.raw`(?<month>\p{L}{3,14})\.?`;

/** Unambiguous forms: the year comes first, or the month is a word. */
const unambiguous: readonly RegExp[] = [
  form(String.raw`${year}(?<gap>[-/.]) ?${month}\k<gap> ?${day}\.?`),
  form(String.raw`(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})`),
  form(`${year}年 ?${month}月 ?${day}日`),
  form(`${year}년 ?${month}월 ?${day}일`),
  form(
    String.raw`${day}(?:st|nd|rd|th|er|º|°|\.)?[- /]{0,2}(?:de |of )?${word}[- /,]{0,2}(?:de |del )?${anyYear}`,
  ),
  form(String.raw`${word}[- ]${day}(?:st|nd|rd|th)?,?[- ]${anyYear}`),
  form(String.raw`${year}[- /]${word}[- /]${day}`),
];

interface Spelling {
  readonly forms: readonly RegExp[];
  /** The forms as people write them, for messages. */
  readonly expected: string;
}

const yearFirst: Spelling = {
  forms: unambiguous,
  expected: 'year-month-day, or the month as a word',
};
const numeric = (first: string, second: string, expected: string): Spelling => ({
  forms: [
    ...[year, twoDigitYear].map((last) => form(String.raw`${first}(?<gap>[-/.]) ?${second}\k<gap> ?${last}`)),
    ...unambiguous,
  ],
  expected,
});
const dayFirst = numeric(day, month, 'day.month.year');
const monthFirst = numeric(month, day, 'month/day/year');

const shortYearFirst: Spelling = {
  forms: [
    form(String.raw`${twoDigitYear}(?<gap>[-/.]) ?${month}\k<gap> ?${day}\.?`),
    form(String.raw`${twoDigitYear}(?<month>\d{2})(?<day>\d{2})`),
    ...unambiguous,
  ],
  expected: 'year.month.day',
};

const fault = (predicate: string): CellFault => ({ code: 'not_a_date', predicate });

const iso = /^\d{4}-\d\d-\d\d$/;
const fullWidth = /[\uff00-\uffef]/u;
const dashes = /[\u2010-\u2015\u2212]/gu;

/** Days of the week before a date, as spreadsheets and programs write them. */
const weekday =
  /^(?:mon|tue|wed|thu|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mo|di|mi|do|fr|sa|so|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo)[.,]{0,2} /iu;

/** The text without marks of direction, which programs write around the numbers of a date, and other invisible characters. */
const plain = (text: string): string =>
  visibleText(fullWidth.test(text) ? text.normalize('NFKC') : text)
    .replace(dashes, '-')
    .replace(weekday, '');

const read = (text: string, { forms, expected }: Spelling, { pivot, timezone }: DateOptions): Transformed => {
  // The most frequent form, which needs no conversion.
  if (iso.test(text) && isCalendarDate(text)) return text;
  const instant = timezone === undefined ? undefined : readInstant(text);
  if (instant && timezone !== undefined) return dayIn(timezone, instant.time);
  const written = plain(text);
  for (const pattern of forms) {
    const parts = pattern.exec(written)?.groups;
    const number = parts && monthOf(parts['month'] ?? '');
    if (!parts || number === undefined) continue;
    const whole = yearOf(parts['year'] ?? '', pivot);
    if (whole === undefined) return fault('has a year of two digits: write four digits, or set a pivot');
    const found = `${whole}-${number}-${(parts['day'] ?? '').padStart(2, '0')}`;
    return isCalendarDate(found) ? found : fault(`is not a day of the calendar; expected ${expected}`);
  }
  return fault(`is not a date; expected ${expected}`);
};

const yearOf = (text: string, pivot: number | undefined): string | undefined => {
  if (text.length === 4) return text;
  if (pivot === undefined) return undefined;
  return `${Number(text) <= pivot ? 20 : 19}${text}`;
};

const monthOf = (text: string): string | undefined =>
  /^\d/.test(text) ? text.padStart(2, '0') : monthNamed(text);

const anyNumeric = dayFirst.forms.slice(0, 1);

/**
 * Reads an unambiguous date and returns it as `YYYY-MM-DD`; a fault for other forms and for days that do not exist. A
 * time of day is dropped, unless it has an offset and a time zone is named.
 */
export const readDate = (text: string, options: DateOptions = {}): Transformed =>
  anyNumeric.some((pattern) => pattern.test(plain(text)))
    ? fault('does not say which number is the day: use date_dmy or date_mdy')
    : read(text, yearFirst, options);

/**
 * Like `readDate`, and reads three numbers as day, month, year. Two-digit years up to `pivot` are in the 2000s and the
 * others in the 1900s; without a pivot they are a fault.
 */
export const readDayFirst = (text: string, options: DateOptions = {}): Transformed =>
  read(text, dayFirst, options);

/** Like `readDayFirst`, and reads three numbers as month, day, year. */
export const readMonthFirst = (text: string, options: DateOptions = {}): Transformed =>
  read(text, monthFirst, options);

/** Like `readDate`, and reads a year of two digits before month and day: `85.12.24`, or `851224`. */
export const readYearFirst = (text: string, options: DateOptions = {}): Transformed =>
  read(text, shortYearFirst, options);

/**
 * The names of each month without accents, in lower case: full names, forms after a day, and abbreviations. No name stands
 * for two months in these languages. Croatian is left out, because its `listopad` is another month than that of Polish.
 */
const names: readonly string[] = [
  'january jan januar janner jan janvier janv enero ene gennaio gen januari janeiro styczen stycznia sty januar leden ledna ledna tammikuu tammikuuta ocak январь января янв',
  'february feb februar feber fevrier fevr febrero febbraio februari fevereiro fev luty lutego lut unor unora helmikuu helmikuuta subat февраль февраля фев',
  'march mar marz mrz maerz mars marzo maart mrt marco marzec marca marts brezen brezna maaliskuu maaliskuuta mart март марта мар',
  'april apr avril avr abril abr aprile kwiecien kwietnia kwi duben dubna huhtikuu huhtikuuta nisan апрель апреля апр',
  'may mai mayo maggio mag mei maio maj maja kveten kvetna toukokuu toukokuuta mayis май мая',
  'june jun juni juin junio giugno giu junho czerwiec czerwca cze cerven cervna kesakuu kesakuuta haziran июнь июня июн',
  'july jul juli juillet juil julio luglio lug julho lipiec lipca lip cervenec cervence heinakuu heinakuuta temmuz июль июля июл',
  'august aug aout agosto ago augustus augusti sierpien sierpnia sie srpen srpna elokuu elokuuta agustos август августа авг',
  'september sep sept septembre septiembre settembre set setembro wrzesien wrzesnia wrz zari syyskuu syyskuuta eylul сентябрь сентября сен',
  'october oct oktober okt octobre octubre ottobre ott outubro out pazdziernik pazdziernika paz rijen rijna lokakuu lokakuuta ekim октябрь октября окт',
  'november nov novembre noviembre novembro listopad listopada listopadu lis marraskuu marraskuuta kasim ноябрь ноября ноя',
  'december dec dezember dez decembre diciembre dic dicembre dezembro grudzien grudnia gru desember des prosinec prosince joulukuu joulukuuta aralik декабрь декабря дек',
];

const months: ReadonlyMap<string, string> = new Map(
  names.flatMap((list, index) =>
    list.split(' ').map((name) => [name, String(index + 1).padStart(2, '0')] as const),
  ),
);

/** The number of a month, `01` to `12`, from its name in any case; `undefined` for another word. */
const monthNamed = (text: string): string | undefined => {
  const known = months.get(text.toLowerCase());
  if (known !== undefined) return known;
  const bare = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i');
  return months.get(bare) ?? months.get(bare.normalize('NFC'));
};
