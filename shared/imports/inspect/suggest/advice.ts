/** Advice: the options of a field map that the values of a column call for, with reasons and doubts. */
import { visibleText } from '../../../runtime/visible-text.ts';
import type { FieldMap } from '../../mapping/field-map.ts';
import type { Doubt } from '../doubt.ts';
import type { Language } from './column-names.ts';

/** Options of a field map, and a sentence for each that says why. */
export interface Advice {
  readonly options: Pick<FieldMap, 'transformations' | 'split' | 'on_bad_value'>;
  readonly why: readonly string[];
  /** Further field maps of the same column, which fill other fields. */
  readonly further?: readonly Omit<FieldMap, 'sources'>[];
  /** What a person should look at before the file is imported. */
  readonly doubts?: readonly Doubt[];
}

/** What a file says about the country of its people. */
export interface FileOrigin {
  /** The language of the header, if it surely is of that language. */
  readonly language?: Language;
  /** The country of the domains of most e-mail addresses, as a code of ISO 3166-1. */
  readonly domain?: string;
  /** A column that fills no field and seems to hold countries; only in a file without a column of countries. */
  readonly column?: string;
}

/** Values of a column that are not empty, and what they mean. */
export interface ColumnValues {
  /** The name of the column in the header. */
  readonly name: string;
  readonly values: readonly string[];
  readonly target: string;
  readonly language: Language;
  /** The present year. Two-digit years up to it are of the 2000s. */
  readonly year: number;
  /** What the column of countries says in the rows of the values, in their order. Left out without such a column. */
  readonly rowCountries?: readonly string[];
  /** Whether the column only withdraws a consent. Another column then says who has given it. */
  readonly withdrawsOnly?: boolean;
  /** What the file says about the country of its people. */
  readonly origin?: FileOrigin;
}

/** No option, and nothing to say. */
export const none: Advice = { options: {}, why: [] };

/** The reason for `drop_cell`. */
export const dropped = 'A bad cell is dropped with a warning, and its row is imported.';

/** `strip` for cells with spaces at their ends or invisible characters. */
export const suggestStrip = (values: readonly string[]): Advice =>
  values.some((value) => visibleText(value) !== value)
    ? {
        options: { transformations: [{ name: 'strip' }] },
        why: ['Some cells have spaces at their ends or characters that nobody sees.'],
      }
    : none;
