/** Suggest phones: the country of telephone numbers without a country code. */
import { phoneCountries } from '../../mapping/phone-countries.ts';
import { type Advice, type ColumnValues, dropped, none, readBy } from './advice.ts';
import { countryOf, languages } from './column-names.ts';

/** The country with which most numbers are read. */
export const suggestPhone = async ({ values, language }: ColumnValues): Promise<Advice> => {
  const codes: readonly string[] = [countryOf[language], ...languages.map((each) => countryOf[each]), 'US'];
  const candidates = phoneCountries.filter((country) => codes.includes(country));
  const read = await Promise.all(
    candidates.map(async (country) => ({
      country,
      count: await readBy(values, [{ name: 'phone', country }]),
      isOwn: country === countryOf[language],
    })),
  );
  const [best] = read.toSorted((a, b) => b.count - a.count || Number(b.isOwn) - Number(a.isOwn));
  if (!best || best.count === 0) return none;
  return {
    options: { transformations: [{ name: 'phone', country: best.country }], on_bad_value: 'drop_cell' },
    why: [
      `${best.count} of ${values.length} cells are telephone numbers. Numbers without a country code count as numbers of ${best.country}.`,
      dropped,
    ],
  };
};
