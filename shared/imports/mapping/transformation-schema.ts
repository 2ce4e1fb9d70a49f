/** Transformation schema: the transformations of a field map and their options, for requests and stored definitions. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { described } from '../../http/described.ts';
import { phoneCountries } from './phone-countries.ts';

const { imports } = limits;

const withoutOptions = [
  'strip',
  'lower',
  'upper',
  'title',
  'digits',
  'date',
  'number_de',
  'number_en',
  'country',
] as const;
const dates = ['date_dmy', 'date_mdy'] as const;
const withOptions = ['map', 'default', 'replace', 'phone'] as const;

/** The names of all transformations, for messages. */
const transformationNames = [...withoutOptions, ...dates, ...withOptions] as const;

const someText = v.pipe(v.string(), v.minLength(1), v.maxLength(imports.optionCharacters));
const anyText = v.pipe(v.string(), v.maxLength(imports.optionCharacters));
const twoDigits = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(99));

/** A transformation of a field map. */
export const transformation = v.variant(
  'name',
  [
    v.strictObject({
      name: described(
        '`strip` removes white space at both ends and all invisible characters, and turns no-break spaces into spaces. `lower` and `upper` change the case. `title` capitalises each word. `digits` keeps digits only. `date` reads unambiguous dates such as `2020-12-25`. `number_de` reads `1.234,50`, and `number_en` reads `1,234.50`. `country` writes a country in any spelling as its code of ISO 3166-1, so `Germany` and `Deutschland` become `DE`.',
        v.picklist(withoutOptions),
      ),
    }),
    v.strictObject({
      name: described(
        'Reads dates with the day first (`25.12.2020`) or with the month first (`12/25/2020`).',
        v.picklist(dates),
      ),
      pivot: described(
        'The last two-digit year of the 2000s: with 30, `30` is 2030 and `31` is 1931. If left out, years need four digits.',
        v.exactOptional(twoDigits),
      ),
    }),
    v.strictObject({
      name: described('Replaces a whole text by another.', v.literal('map')),
      values: described(
        'The new text of each text. Upper and lower case differ.',
        v.pipe(v.record(someText, anyText), v.minEntries(1), v.maxEntries(imports.mappedValues)),
      ),
      otherwise: described(
        'What happens to a text without an entry. `keep` (also if left out) keeps it, `drop` makes the cell empty, `refuse` refuses the cell.',
        v.exactOptional(v.picklist(['keep', 'drop', 'refuse'])),
      ),
    }),
    v.strictObject({
      name: described('Fills an empty cell.', v.literal('default')),
      value: described('The text for an empty cell.', someText),
    }),
    v.strictObject({
      name: described('Replaces each occurrence of a text.', v.literal('replace')),
      from: described('The text to look for. Upper and lower case differ.', someText),
      to: described('The text in its place. An empty text removes it.', anyText),
    }),
    v.strictObject({
      name: described(
        'Writes a telephone number in its international form, such as `+4930123456`.',
        v.literal('phone'),
      ),
      country: described(
        'The country of numbers without a country code, as a code of ISO 3166-1.',
        v.picklist(phoneCountries, 'Must be a country code of ISO 3166-1, for example DE.'),
      ),
    }),
  ],
  `Must be an object like {"name": "strip"}. The names are ${transformationNames.join(', ')}.`,
);

/** A transformation with its options. */
export type Transformation = Readonly<v.InferOutput<typeof transformation>>;
