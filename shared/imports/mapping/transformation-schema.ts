/** Transformation schema: the transformations of a field map and their options, for requests and stored definitions. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
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
] as const;
const dates = ['date_dmy', 'date_mdy'] as const;
const withOptions = ['map', 'default', 'replace', 'phone'] as const;

/** The names of all transformations, for messages. */
const transformationNames = [...withoutOptions, ...dates, ...withOptions] as const;

const someText = v.pipe(v.string(), v.minLength(1), v.maxLength(imports.optionCharacters));
const anyText = v.pipe(v.string(), v.maxLength(imports.optionCharacters));
const twoDigits = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(99));

/**
 * A transformation of a field map.
 *
 * - `date_dmy`, `date_mdy`: `pivot` is the last two-digit year of the 2000s. Without it, years need four digits.
 * - `map`: `values` holds the new text of each text. `otherwise` says what happens to other texts; the default is `keep`.
 * - `default`: `value` is the text for an empty cell.
 * - `replace`: replaces each occurrence of the literal text `from`.
 * - `phone`: `country` is the country of numbers without a country code (ISO 3166-1).
 */
export const transformation = v.variant(
  'name',
  [
    v.strictObject({ name: v.picklist(withoutOptions) }),
    v.strictObject({ name: v.picklist(dates), pivot: v.exactOptional(twoDigits) }),
    v.strictObject({
      name: v.literal('map'),
      values: v.pipe(v.record(someText, anyText), v.minEntries(1), v.maxEntries(imports.mappedValues)),
      otherwise: v.exactOptional(v.picklist(['keep', 'drop', 'refuse'])),
    }),
    v.strictObject({ name: v.literal('default'), value: someText }),
    v.strictObject({ name: v.literal('replace'), from: someText, to: anyText }),
    v.strictObject({
      name: v.literal('phone'),
      country: v.picklist(phoneCountries, 'Must be a country code of ISO 3166-1, for example DE.'),
    }),
  ],
  `Must be an object like {"name": "strip"}. The names are ${transformationNames.join(', ')}.`,
);

/** A transformation with its options. */
export type Transformation = Readonly<v.InferOutput<typeof transformation>>;
