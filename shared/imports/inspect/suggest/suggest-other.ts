/** Suggest other: numbers, dates and words for yes and no in a column of unknown name. */
import { type Advice, type ColumnValues, none, suggestStrip } from './advice.ts';
import { readUtcTime } from '../../../http/text.ts';
import { doubtsAbout } from '../doubt.ts';
import { limits } from '../../../config/limits.ts';
import { readInstant } from '../../mapping/read-instants.ts';
import { compileTransformations } from '../../mapping/transformations.ts';
import { suggestDate } from './suggest-dates.ts';
import { suggestNumbers } from './suggest-numbers.ts';
import { suggestWords } from './words.ts';

/** The share of values that a transformation must read before it is suggested for a column of unknown name. */
const MOST = 0.8;

const anyDate = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:[ T].*)?$/;

/** More dates than these of a column are no slips of the pen. */
const FEW = 0.05;

/** Whether a day lies where no date of a file does: years of Buddhists are 543 more, and those of Persia 621 fewer. */
const isOfAnotherCalendar = (day: unknown): boolean =>
  typeof day === 'string' && (day < '1800' || day > '2100');

const isMany = (found: readonly string[], all: readonly string[]): boolean =>
  found.length >= all.length * MOST;

/** Finds the options for a column that goes into extra data. */
export const suggestOther = async (column: ColumnValues): Promise<Advice> => {
  const { values } = column;
  const numbers = suggestNumbers(column);
  if (numbers) return numbers;
  // A time is more than the day that a date would keep.
  const isTime = (value: string): boolean =>
    readInstant(value) !== undefined || readUtcTime(value.trim()) !== undefined;
  if (isMany(values.filter(isTime), values)) return none;
  const found = values.filter((value) => anyDate.test(value.trim()));
  if (isMany(found, values)) {
    const advice = await suggestDate(column);
    const { transformations } = advice.options;
    // Without a form of dates the cells are texts, which extra data take as they are.
    if (!transformations) {
      const [saw, does] = ['Dates that no form of dates reads.', 'They are stored as they are.'];
      return { ...suggestStrip(values), doubts: doubtsAbout(column.name, found, { saw, does }) };
    }
    const read = await compileTransformations(transformations, limits.imports.mappedCharacters);
    const strange = found.filter((value) => isOfAnotherCalendar(read(value)));
    if (strange.length > found.length * FEW) {
      const saw = 'Years before 1800 or after 2100, as other calendars count them.';
      const does = 'The cells are stored as they are.';
      return { ...suggestStrip(values), doubts: doubtsAbout(column.name, strange, { saw, does }) };
    }
    const timed = found.filter((value) => value.includes(':') && typeof read(value) === 'string');
    const saw = 'Dates with a time of day.';
    const doubts = doubtsAbout(column.name, timed, { saw, does: 'Only the day is kept.' });
    return { ...advice, doubts: [...(advice.doubts ?? []), ...doubts] };
  }
  const words = suggestWords(column, none);
  return words === none ? suggestStrip(values) : words;
};
