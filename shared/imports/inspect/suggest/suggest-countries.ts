/** Suggest countries: the transformation `country`, with which one country is one segment. */
import { readCountry } from '../../mapping/read-countries.ts';
import { doubtAbout } from '../doubt.ts';
import { type Advice, type ColumnValues, dropped, suggestStrip } from './advice.ts';

/** The share of values that must be countries. */
const MOST = 0.5;

/** `country` for a column of countries, in whatever spellings. */
export const suggestCountry = ({ name, values }: ColumnValues): Advice => {
  const unknown = values.filter((value) => readCountry(value) === undefined);
  const read = values.length - unknown.length;
  if (read < values.length * MOST) return suggestStrip(values);
  return {
    options: { transformations: [{ name: 'country' }], on_bad_value: 'drop_cell' },
    why: [
      `${read} of ${values.length} cells are countries, by name or by code. All become codes such as DE, so that a country is one segment.`,
      dropped,
    ],
    ...(unknown.length > 0 && {
      doubts: [
        doubtAbout(name, unknown, {
          saw: 'Texts that are not the name or the code of a country.',
          does: 'Drops these cells with a warning.',
        }),
      ],
    }),
  };
};
