/** Date zones: recognises days that a system has written as midnight of its time zone in UTC. */
import { localTime } from '../../../runtime/time-zone.ts';
import { type Instant, readInstant } from '../../mapping/read-instants.ts';
import type { Language } from './column-names.ts';
import { DAY_MS, HOUR_MS } from '../../../runtime/clock.ts';

/** Zones of the customers of a file, by the language of its header first. */
const zones: readonly string[] = [
  'Europe/Berlin',
  'Europe/Paris',
  'Europe/Rome',
  'Europe/London',
  'Europe/Lisbon',
  'Europe/Helsinki',
  'Europe/Athens',
  'Europe/Istanbul',
  'Europe/Moscow',
  'Asia/Kolkata',
  'Asia/Singapore',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Pacific/Auckland',
];
const own: Readonly<Partial<Record<string, string>>> = {
  fr: 'Europe/Paris',
  es: 'Europe/Madrid',
  it: 'Europe/Rome',
  nl: 'Europe/Amsterdam',
  pl: 'Europe/Warsaw',
  pt: 'Europe/Lisbon',
  sv: 'Europe/Stockholm',
  ja: 'Asia/Tokyo',
};

const timeOfDay = (time: number): number => ((time % DAY_MS) + DAY_MS) % DAY_MS;

/** The times in UTC among the values. */
const utcTimes = (values: readonly string[]): readonly Instant[] =>
  values.flatMap((value) => readInstant(value) ?? []).filter(({ isUtc }) => isUtc);

/**
 * Whether a text is a time in UTC that is the midnight of a zone east of Greenwich, or late in the day: then the day that
 * it shows may be one too early. Noon is how careful systems write a day.
 */
export const isLateInUtc = (text: string): boolean => {
  const instant = readInstant(text);
  if (!instant?.isUtc) return false;
  const time = timeOfDay(instant.time);
  return time > 9 * HOUR_MS && time !== 12 * HOUR_MS;
};

/** The zone in which all such times are midnight; `undefined` if there are none, or they are of other kinds. */
export const zoneOf = (values: readonly string[], language: Language): string | undefined => {
  const times = utcTimes(values);
  if (!values.some(isLateInUtc)) return undefined;
  const first = own[language];
  return [...(first === undefined ? [] : [first]), ...zones].find((zone) =>
    times.every(({ time }) => timeOfDay(localTime(zone, time)) === 0),
  );
};
