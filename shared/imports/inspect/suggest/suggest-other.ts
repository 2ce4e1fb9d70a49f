/** Suggest other: numbers, dates and words for yes and no in a column of unknown name. */
import { type Advice, type ColumnValues, none, suggestStrip } from './advice.ts';
import { suggestDate } from './suggest-dates.ts';
import { suggestWords } from './suggest-words.ts';

/** The share of values that a transformation must read before it is suggested for a column of unknown name. */
const MOST = 0.8;

const germanNumber = /^-?(?:\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d+)$/;
const englishNumber = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const anyDate = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:[ T].*)?$/;

/** Finds the options for a column that goes into extra data. */
export const suggestOther = async (column: ColumnValues): Promise<Advice> => {
  const { values, language } = column;
  const isMost = (form: RegExp): boolean =>
    values.filter((value) => form.test(value.trim())).length / values.length >= MOST;
  const hasCommas = values.some((value) => value.includes(','));
  if (hasCommas && isMost(englishNumber) && (language === 'en' || !isMost(germanNumber))) {
    return {
      options: { transformations: [{ name: 'number_en' }] },
      why: ['The numbers have commas between thousands.'],
    };
  }
  if (hasCommas && isMost(germanNumber)) {
    return {
      options: { transformations: [{ name: 'number_de' }] },
      why: ['The numbers have a decimal comma.'],
    };
  }
  if (isMost(anyDate)) return suggestDate(column);
  const words = suggestWords(column, none);
  return words === none ? suggestStrip(values) : words;
};
