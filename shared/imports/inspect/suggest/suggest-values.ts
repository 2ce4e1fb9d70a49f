/** Suggest values: the options of a field map that the values of a column call for, each with its reason. */
import { type Advice, type ColumnValues, dropped, none, suggestStrip } from './advice.ts';
import { isConsentTime, suggestConsent, suggestTime } from './suggest-consent.ts';
import { suggestCountry } from './suggest-countries.ts';
import { suggestDate } from './suggest-dates.ts';
import { suggestSplit } from './suggest-lists.ts';
import { suggestOther } from './suggest-other.ts';
import { suggestPhone } from './suggest-phones.ts';
import { suggestWords } from './suggest-words.ts';

/** Finds the options for a column. */
export const suggestValues = async (column: ColumnValues): Promise<Advice> => {
  const { target, values } = column;
  if (values.length === 0) return none;
  if (target === 'birthday') return suggestDate(column);
  if (target === 'phone_number') return suggestPhone(column);
  if (target === 'country') return suggestCountry(column);
  if (target === 'tags' || target === 'source') return suggestSplit(column);
  if (target === 'age') return { options: { on_bad_value: 'drop_cell' }, why: [dropped] };
  if (target === 'has_children')
    return suggestWords(column, { options: { on_bad_value: 'drop_cell' }, why: [dropped] });
  if (isConsentTime(target)) return suggestTime(column);
  if (target.startsWith('consent.')) return suggestConsent(column);
  if (!target.startsWith('extra_data.')) return suggestStrip(values);
  return suggestOther(column);
};
