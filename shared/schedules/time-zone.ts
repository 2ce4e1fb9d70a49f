/** Time zones: converts between instants and the local time of an IANA time zone. */

/**
 * A local time: the epoch milliseconds at which a clock in UTC shows it. So `new Date(local).toISOString()` prints the
 * local time.
 */
export type LocalTime = number;

/** The time zone of schedules that name none. */
export const UTC = 'UTC';

const formats = new Map<string, Intl.DateTimeFormat>();

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

const DAY = 86_400_000;

/**
 * The instant of a local time. `undefined` for a time that clocks skip when summer time begins. A time that clocks show
 * twice when summer time ends has its first instant.
 */
export const instantOf = (zone: string, local: LocalTime): number | undefined => {
  if (zone === UTC) return local;
  const offsets = [local - DAY, local + DAY].map((near) => localTime(zone, near) - near);
  const instants = offsets.map((offset) => local - offset).filter((one) => localTime(zone, one) === local);
  return instants.length === 0 ? undefined : Math.min(...instants);
};
