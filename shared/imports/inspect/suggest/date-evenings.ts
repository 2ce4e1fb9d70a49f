/** Date evenings: recognises birthdays that a system has written with the midnight of a time zone as a time of UTC. */
import { readInstant } from '../../mapping/read-instants.ts';
import { type Doubt, doubtAbout } from '../doubt.ts';
import type { DateColumn } from './date-doubts.ts';

const evening = /(?:\b2[0-3]:00(?::00)?|\b(?:[89]|1[01]):00(?::00)? ?p\.?m)(?![:\d])/i;

/** Times that state their offset as ISO 8601 does have a doubt of their own. */
const isEvening = (text: string): boolean => evening.test(text) && readInstant(text) === undefined;

/** The doubt about birthdays at a full hour of the evening. Only the day counts of a birth, and events do begin then. */
export const doubtsOfEvenings = ({
  name,
  values,
  target,
  days,
}: Pick<DateColumn, 'name' | 'values' | 'target' | 'days'>): readonly Doubt[] => {
  const cells = values.filter((value, index) => days[index] !== undefined && isEvening(value));
  if (target !== 'birthday' || cells.length === 0) return [];
  const saw =
    'Full hours of the evening, as systems write the midnight of a time zone: the days may be one too early.';
  return [doubtAbout(name, cells, { saw, does: 'The days are stored as they are written.' })];
};
