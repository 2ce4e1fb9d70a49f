/** Suggest countries: the transformation `country`, with which one country is one segment. */
import { readCountry } from '../../mapping/read-countries.ts';
import { doubtsAbout } from '../doubt.ts';
import { type Advice, type ColumnValues, dropped, suggestStrip } from './advice.ts';

/** The share of values that must be countries. */
const MOST = 0.5;

/** The code of Namibia, which many programs write for "not available". */
const notAvailable = /^\s*NA\s*$/iu;

/** `country` for a column of countries, in whatever spellings. `NA` counts as empty unless most cells have it. */
export const suggestCountry = ({ name, values }: ColumnValues): Advice => {
  const unknown = values.filter((value) => readCountry(value) === undefined);
  const read = values.length - unknown.length;
  if (read < values.length * MOST) return suggestStrip(values);
  const codes = values.filter((value) => notAvailable.test(value));
  const blank =
    codes.length < values.length * MOST ? Object.fromEntries(codes.map((text) => [text, ''])) : {};
  const isBlank = Object.keys(blank).length > 0;
  return {
    options: {
      transformations: [...(isBlank ? [{ name: 'map' as const, values: blank }] : []), { name: 'country' }],
      on_bad_value: 'drop_cell',
    },
    why: [
      `${read} of ${values.length} cells are countries, by name or by code. All become codes such as DE, so that a country is one segment.`,
      dropped,
    ],
    doubts: [
      ...doubtsAbout(name, unknown, {
        saw: 'Texts that are not the name or the code of a country.',
        does: 'Drops these cells with a warning.',
      }),
      ...doubtsAbout(name, codes, {
        saw: '"NA" is the code of Namibia, and stands in many files for nothing.',
        does: isBlank ? 'Counts these cells as empty.' : 'Stores NA, for Namibia.',
      }),
    ],
  };
};
