/** How the console writes numbers and times: in the language and in the time zone of the reader. */

/** Numbers and times as text. Times are ISO 8601 or milliseconds; nothing is a dash. */
export interface Format {
  /** A whole number in groups: 10,412. A minus is U+2212. */
  number(value: number): string;
  /** A number with its decimals: 2,472.84. */
  decimal(value: number): string;
  /** A share of a whole, without decimals: 97 %. */
  percent(part: number, whole: number): string;
  /** A size of a file: 4.1 MB. */
  bytes(value: number): string;
  /** A day and a time: Today, 08:52; Mon, 06:00 within a week; 12 Sep 2025 beyond. */
  when(time: string | number | null | undefined): string;
  /** A day: 12 Sep 2025. Dates without a time stay in their own day. */
  day(time: string | number | null | undefined): string;
  /** A time to the second: 09:41:12. */
  clock(time: string | number): string;
  /** A span: 1 min 17 s. */
  span(seconds: number): string;
  /** A sentence of the API, whose times are those of the reader. */
  timesIn(sentence: string): string;
}

const DAY_MS = 86_400_000;
const NOTHING = '–';
const ONLY_DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIMES = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;

/** The days from the day of `now` to the day of a time, both of the reader. */
const daysBetween = (now: Date, time: Date): number => {
  const start = (date: Date): number =>
    new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  return Math.round((start(time) - start(now)) / DAY_MS);
};

const spanOf = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`;
};

const inDays = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const inMinutes = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** The format of a language (BCP 47), with the zone of the reader and the clock `now`. */
export const formatOf = (language: string, now: () => number): Format => {
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  const sizes = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const days = new Intl.DateTimeFormat(language, inDays);
  const daysOfUtc = new Intl.DateTimeFormat(language, { ...inDays, timeZone: 'UTC' });
  const weekdays = new Intl.DateTimeFormat(language, { ...inMinutes, weekday: 'short' });
  const hours = new Intl.DateTimeFormat(language, inMinutes);
  const clocks = new Intl.DateTimeFormat(language, { ...inMinutes, second: '2-digit' });
  const today = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const numberOf = (value: number): string => numbers.format(value).replace('-', '−');
  const relative = (distance: number): string => {
    const word = today.format(distance, 'day');
    return word.charAt(0).toLocaleUpperCase(language) + word.slice(1);
  };
  const whenOf = (time: string | number | null | undefined): string => {
    if (time === null || time === undefined) return NOTHING;
    const date = new Date(time);
    const distance = daysBetween(new Date(now()), date);
    if (Math.abs(distance) <= 1) return `${relative(distance)}, ${hours.format(date)}`;
    return Math.abs(distance) < 7 ? weekdays.format(date) : days.format(date);
  };
  return {
    number: numberOf,
    decimal: (value) => value.toLocaleString(language, { maximumFractionDigits: 6 }),
    percent: (part, whole) => (whole === 0 ? NOTHING : `${numbers.format((100 * part) / whole)} %`),
    bytes: (value) => {
      const units = ['B', 'kB', 'MB', 'GB', 'TB'];
      const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3));
      return `${sizes.format(value / 1000 ** power)} ${units[power] ?? ''}`;
    },
    when: whenOf,
    day: (time) => {
      if (time === null || time === undefined) return NOTHING;
      const own = typeof time === 'string' && ONLY_DAY.test(time);
      return (own ? daysOfUtc : days).format(new Date(time));
    },
    clock: (time) => clocks.format(new Date(time)),
    span: spanOf,
    timesIn: (sentence) => sentence.replaceAll(TIMES, whenOf),
  };
};
