/** Instants: reads times that say their offset from UTC, and finds the day on which they were in a time zone. */
import { localTime } from '../../runtime/time-zone.ts';

const instant =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:[.,]\d{1,9})? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)$/i;

/** Whether an offset is that of UTC. */
const isZero = (zone: string): boolean => !/[1-9]/.test(zone);

/** A time with its offset from UTC. */
export interface Instant {
  /** Epoch milliseconds. */
  readonly time: number;
  /** Whether the text is in UTC. */
  readonly isUtc: boolean;
}

/** Reads a time such as `1980-06-01T22:00:00.000Z` or `1980-06-02 00:00:00+02`; `undefined` for a text without an offset. */
export const readInstant = (text: string): Instant | undefined => {
  const [, day = '', minutes = '', seconds = ':00', zone = ''] = instant.exec(text.trim()) ?? [];
  if (day === '') return undefined;
  const isUtc = isZero(zone);
  const offset = isUtc ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
  const time = Date.parse(`${day}T${minutes}${seconds}${offset}`);
  return Number.isNaN(time) ? undefined : { time, isUtc };
};

/** The day on which an instant was in a time zone, as `YYYY-MM-DD`. */
export const dayIn = (zone: string, time: number): string => {
  const local = new Date(localTime(zone, time));
  return Number.isNaN(local.getTime()) ? '' : local.toISOString().slice(0, 10);
};
