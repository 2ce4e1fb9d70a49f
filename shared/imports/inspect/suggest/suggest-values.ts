/** Suggest values: the options of a field map that the values of a column call for, each with its reason. */
import { limits } from '../../../config/limits.ts';
import { compileTransformations } from '../../mapping/transformations.ts';
import { type Advice, type ColumnValues, dropped, none, suggestStrip } from './advice.ts';
import {
  isConsentTime,
  suggestConsent,
  suggestTime,
  suggestWithdrawals,
  suggestOptOut,
  suggestOptOutTime,
} from './suggest-consent.ts';
import { suggestCountry, suggestZip } from './suggest-countries.ts';
import { suggestDate } from './suggest-dates.ts';
import { suggestFirst, suggestMailbox } from './suggest-first.ts';
import { suggestGender } from './suggest-genders.ts';
import { suggestSplit } from './suggest-lists.ts';
import { suggestMarks, suggestQuotes } from './suggest-marks.ts';
import { optOutOf } from './opt-outs.ts';
import { suggestOther } from './suggest-other.ts';
import { suggestReferences } from './suggest-references.ts';
import { suggestWords } from './words.ts';

/**
 * Finds the options for a column: first those that decode its cells and take off quotes, marks, names and further values, then those
 * that the rest calls for.
 */
export const suggestValues = async (column: ColumnValues): Promise<Advice> => {
  const first: Advice[] = [];
  let rest = column;
  for (const suggest of [suggestReferences, suggestQuotes, suggestMarks, suggestMailbox, suggestFirst]) {
    const advice = await suggest(rest);
    if (!advice) continue;
    first.push(advice);
    rest = await after(rest, advice);
  }
  if (rest.values.length === 0) return none;
  return joined([...first, await suggestTyped(rest)]);
};

/** The cells that are not empty after the transformations of an advice, each with the country of its row. */
const after = async (column: ColumnValues, { options }: Advice): Promise<ColumnValues> => {
  const { transformations = [] } = options;
  const transform = await compileTransformations(transformations, limits.imports.mappedCharacters);
  const cells = column.values.flatMap((value, index) => {
    const text = transform(value);
    const country = column.rowCountries?.[index] ?? '';
    return typeof text === 'string' && text.trim() !== '' ? [{ text, country }] : [];
  });
  return {
    ...column,
    values: cells.map(({ text }) => text),
    ...(column.rowCountries && { rowCountries: cells.map(({ country }) => country) }),
  };
};

/** Several pieces of advice as one, with their transformations in order. */
const joined = (all: readonly Advice[]): Advice => {
  const [only] = all;
  if (all.length === 1 && only) return only;
  const transformations = all.flatMap(({ options }) => options.transformations ?? []);
  return {
    options: {
      ...all.reduce<Advice['options']>((whole, { options }) => ({ ...whole, ...options }), {}),
      ...(transformations.length > 0 ? { transformations } : {}),
    },
    // A further map reads the same cells, so it begins with the same transformations.
    further: all.flatMap(({ further = [] }, index) => {
      const before = all.slice(0, index).flatMap(({ options }) => options.transformations ?? []);
      return further.map((map) => ({ ...map, transformations: [...before, ...(map.transformations ?? [])] }));
    }),
    why: all.flatMap(({ why }) => why),
    doubts: all.flatMap(({ doubts = [] }) => doubts),
  };
};

const suggestTyped = async (column: ColumnValues): Promise<Advice> => {
  const { target, values } = column;
  if (target === 'birthday') return suggestDate(column);
  // The numbering plans are loaded only for a column of telephone numbers.
  if (target === 'phone_number') return (await import('./suggest-phones.ts')).suggestPhone(column);
  if (target === 'gender') return suggestGender(column);
  if (target === 'country') return suggestCountry(column);
  if (target === 'tags' || target === 'source') return suggestSplit(column);
  if (target === 'zipcode') return suggestZip(column);
  if (target === 'age') return { options: { on_bad_value: 'drop_cell' }, why: [dropped] };
  if (target === 'has_children')
    return suggestWords(column, { options: { on_bad_value: 'drop_cell' }, why: [dropped] });
  if (isConsentTime(target)) return suggestTime(column);
  if (target.startsWith('consent.')) return suggestStatement(column);
  if (!target.startsWith('extra_data.')) return suggestStrip(values);
  return suggestOther(column);
};

const suggestStatement = (column: ColumnValues): Advice | Promise<Advice> => {
  const optOut = optOutOf(column.name);
  if (optOut) return optOut.isTime ? suggestOptOutTime(column) : suggestOptOut(column);
  return column.withdrawsOnly === true ? suggestWithdrawals(column) : suggestConsent(column);
};
