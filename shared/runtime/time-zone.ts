/** Time zones: converts between instants and the local time of an IANA time zone. */
import { BoundedMap } from './bounded-map.ts';
import { DAY_MS, MINUTE_MS } from './clock.ts';

/**
 * A local time: the epoch milliseconds at which a clock in UTC shows it. So `new Date(local).toISOString()` prints the
 * local time.
 */
export type LocalTime = number;

/** The time zone of whatever names none. */
export const UTC = 'UTC';

/** The formats of zones by name. `Intl` takes a name in any case, so clients can spell each in thousands of ways. */
const formats = new BoundedMap<string, Intl.DateTimeFormat>(100);

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-u-hc-h23', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, format);
  return format;
};

/** Names of the IANA database. `Intl` also takes offsets such as `+01:00`, which EventBridge Scheduler refuses. */
const form = /^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

let listed: ReadonlySet<string> | undefined;

/**
 * Whether a name is UTC, or a name that `Intl` lists: one name of each zone, and no aliases. The list takes 2 ms, and the
 * first format of a process takes 13 ms, which every cold start that reads a schedule would spend.
 */
const isListed = (name: string): boolean =>
  name === UTC || (listed ??= new Set(Intl.supportedValuesOf('timeZone'))).has(name);

const hasFormat = (name: string): boolean => {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
};

/** Whether a text names a time zone of the IANA database, which may be an alias. */
export const isTimeZone = (name: string): boolean => form.test(name) && (isListed(name) || hasFormat(name));

/** The name of a time zone as every copy of the IANA database has it: aliases and their spelling differ. */
export const canonicalZone = (zone: string): string =>
  isListed(zone) ? zone : formatOf(zone).resolvedOptions().timeZone;

/** The local time of an instant (epoch milliseconds), in whole seconds. */
export const localTime = (zone: string, instant: number): LocalTime => {
  if (zone === UTC) return Math.floor(instant / 1000) * 1000;
  const parts = new Map(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
};

/** The offset of local time from UTC at an instant, in milliseconds. Local times have whole seconds. */
const offsetAt = (zone: string, instant: number): number =>
  localTime(zone, instant) - Math.floor(instant / 1000) * 1000;

/**
 * The instant of a local time. A time that clocks skip, for example when summer time begins, has the first instant after
 * the skipped time. A time that clocks show twice when summer time ends has its first instant.
 */
export const instantOf = (zone: string, local: LocalTime): number => {
  if (zone === UTC) return local;
  const instants = [local - DAY_MS, local + DAY_MS]
    .map((near) => local - offsetAt(zone, near))
    .filter((one) => localTime(zone, one) === local);
  return instants.length === 0 ? changeBetween(zone, local - DAY_MS, local + DAY_MS) : Math.min(...instants);
};

/** The instant between two others, to the minute, at which the clocks of a zone change. They change there at most once. */
const changeBetween = (zone: string, from: number, to: number): number => {
  const before = offsetAt(zone, from);
  let [low, high] = [Math.floor(from / MINUTE_MS), Math.ceil(to / MINUTE_MS)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle * MINUTE_MS) === before) low = middle;
    else high = middle;
  }
  return high * MINUTE_MS;
};

/** A time of day that clocks skip, in minutes of the day: from `start` up to, but not including, `end`. */
export interface SkippedTime {
  readonly start: number;
  readonly end: number;
}

/** Zones announce their changes of clocks a year or two ahead, and change at the same time of day for decades. */
const WATCHED_DAYS = 2 * 366;

/** The different times of day that the clocks of a zone skip in the two years after an instant. */
export const skippedTimes = (zone: string, after: number): readonly SkippedTime[] => {
  if (zone === UTC) return [];
  const found = new Map<string, SkippedTime>();
  for (let day = after; day < after + WATCHED_DAYS * DAY_MS; day += DAY_MS) {
    const [before, behind] = [offsetAt(zone, day), offsetAt(zone, day + DAY_MS)];
    if (behind <= before) continue;
    const change = changeBetween(zone, day, day + DAY_MS);
    const minuteAt = (offset: number): number => ((change + offset) % DAY_MS) / MINUTE_MS;
    const skipped = { start: minuteAt(before), end: minuteAt(behind) };
    found.set(`${skipped.start}-${skipped.end}`, skipped);
  }
  return [...found.values()];
};
