/** Transformation schema: the transformations of a field map and their options, for requests and stored definitions. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { described } from '../../http/described.ts';
import { isTimeZone } from '../../runtime/time-zone.ts';
import { phoneCountries } from './country-codes.ts';

const { imports } = limits;

const withoutOptions = [
  'strip',
  'lower',
  'upper',
  'title',
  'digits',
  'number_de',
  'number_en',
  'country',
  'unescape_html',
  'mailbox',
] as const;
const dates = ['date', 'date_dmy', 'date_mdy', 'date_ymd'] as const;
const withOptions = ['map', 'default', 'replace', 'phone', 'list', 'first', 'unguard'] as const;

/** The names of all transformations, for messages. */
const transformationNames = [...withoutOptions, ...dates, ...withOptions] as const;

const someText = v.pipe(v.string(), v.minLength(1), v.maxLength(imports.optionCharacters));
const anyText = v.pipe(v.string(), v.maxLength(imports.optionCharacters));
const separator = v.pipe(v.string(), v.minLength(1), v.maxLength(imports.splitCharacters));
const twoDigits = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(99));

/** A transformation of a field map. */
export const transformation = v.variant(
  'name',
  [
    v.strictObject({
      name: described(
        '`strip` removes white space at both ends and all invisible characters, and turns no-break spaces into spaces. `lower` and `upper` change the case. `title` capitalises each word. `digits` keeps digits only. `number_de` reads `1.234,50`, and `number_en` reads `1,234.50`; both leave out a currency. `country` writes a country in any spelling as its code of ISO 3166-1, so `Germany` and `Deutschland` become `DE`. `unescape_html` decodes the character references of HTML once, so `D&uacute;n` becomes `Dún`. `mailbox` takes the address out of a mailbox of RFC 5322, such as `Ann Lee <ann@example.org>`.',
        v.picklist(withoutOptions),
      ),
    }),
    v.strictObject({
      name: described(
        '`date` reads unambiguous dates such as `2020-12-25` and `4 May 1980`, with the months in many languages. `date_dmy` also reads dates with the day first (`25.12.2020`), `date_mdy` with the month first (`12/25/2020`), and `date_ymd` with a year of two digits first (`20.12.25`, `201225`).',
        v.picklist(dates),
      ),
      pivot: described(
        'The last two-digit year of the 2000s: with 30, `30` is 2030 and `31` is 1931. If left out, years need four digits.',
        v.exactOptional(twoDigits),
      ),
      timezone: described(
        'The time zone in which times with an offset are days: in `Europe/Berlin`, `1980-06-01T22:00:00Z` is 2 June 1980. If left out, the day is taken as it is written.',
        v.exactOptional(
          v.pipe(
            v.string(),
            v.maxLength(imports.optionCharacters),
            v.check(isTimeZone, 'Must be a name of the IANA database, for example Europe/Berlin.'),
          ),
        ),
      ),
    }),
    v.strictObject({
      name: described('Replaces a whole text by another.', v.literal('map')),
      values: described(
        'The new text of each text. Upper and lower case differ.',
        v.pipe(v.record(someText, anyText), v.minEntries(1), v.maxEntries(imports.mappedValues)),
      ),
      otherwise: described(
        'What happens to a text without an entry. `keep` (also if left out) keeps it, `drop` makes the cell empty, `refuse` refuses the cell, and `{"value": "withdrawn"}` writes this text in its place. An empty cell stays empty.',
        v.exactOptional(
          v.union(
            [
              v.picklist(['keep', 'drop', 'refuse']),
              v.strictObject({ value: described('The text in place of all others.', someText) }),
            ],
            'Must be keep, drop, refuse or an object like {"value": "withdrawn"}.',
          ),
        ),
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
        'Reads a list as other systems write it into a cell: `"a","b"`, `["a","b"]`, `{a,"b c"}` or `[\'a\', \'b\']`. The values lose their quotes.',
        v.literal('list'),
      ),
      separator: described(
        'The text that it writes between two values, at which the field then splits. If left out, `;`.',
        v.exactOptional(separator),
      ),
    }),
    v.strictObject({
      name: described('Takes the first of several values in a cell.', v.literal('first')),
      separator: described('The text between two values.', separator),
    }),
    v.strictObject({
      name: described(
        'Removes the apostrophe or the formula with which other systems mark a cell as text for spreadsheets: `\'04101`, `="04101"`.',
        v.literal('unguard'),
      ),
      marks: described(
        'Which marks. `numbers` (also if left out) are those of numbers and formulas. `all` is an apostrophe before any text. `formulas` undoes the `formula_guard` of exports exactly. `quotes` are the quotes around a whole cell.',
        v.exactOptional(v.picklist(['numbers', 'all', 'formulas', 'quotes'])),
      ),
    }),
    v.strictObject({
      name: described(
        'Writes a telephone number in its international form, such as `+4930123456`.',
        v.literal('phone'),
      ),
      country: described(
        'The country of numbers without a country code whose row names no country, as a code of ISO 3166-1. If left out, such numbers are refused.',
        v.exactOptional(v.picklist(phoneCountries, 'Must be a country code of ISO 3166-1, for example DE.')),
      ),
    }),
  ],
  `Must be an object like {"name": "strip"}. The names are ${transformationNames.join(', ')}.`,
);

/** A transformation with its options. */
export type Transformation = Readonly<v.InferOutput<typeof transformation>>;
