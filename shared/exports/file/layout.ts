/** Layout: decides the columns of an export file, for the printer of rows and the manifest. */
import { limits } from '../../config/limits.ts';
import type { DataFormat, ExportDefinition } from '../model/items.ts';
import { CHANGE_COLUMN, EXTRA_FIELD, extraField, fixedFields, UUID_FIELD } from '../model/fields.ts';
import { LINE_END, type PrintStyle } from '../../csv/print-line.ts';

/** The columns of an export that follow from its definition alone. */
export interface Layout {
  /** Attribute of each fixed column. */
  readonly fields: readonly string[];
  /** Names of the fixed columns in the file, with the change column of a delta. */
  readonly header: readonly string[];
  /** Whether the keys of `extra_data` that occur become columns. */
  readonly extras: boolean;
}

/** The columns of a definition; a delta has the change column in front. Changes that are told in calls have UUIDs. */
export const layoutOf = (definition: ExportDefinition): Layout => {
  const layout = definition.changes === null ? fieldsOf(definition) : withUuid(fieldsOf(definition));
  return definition.scope === 'delta' ? { ...layout, header: [CHANGE_COLUMN, ...layout.header] } : layout;
};

const withUuid = (layout: Layout): Layout => {
  const { fields, header } = layout;
  if (header.includes(UUID_FIELD)) return layout;
  return { ...layout, fields: [UUID_FIELD, ...fields], header: [UUID_FIELD, ...header] };
};

const fieldsOf = ({ field_set, data_format, custom_result_format }: ExportDefinition): Layout => {
  switch (field_set) {
    case 'all':
      return data_format === 'jsonl' ? withExtra : { fields: fixedFields, header: fixedFields, extras: true };
    case 'email':
      return { fields: ['email'], header: ['email'], extras: false };
    case 'custom':
      return {
        fields: (custom_result_format ?? []).map(({ umbel_field_name }) => umbel_field_name),
        header: (custom_result_format ?? []).map(({ destination_field_name }) => destination_field_name),
        extras: false,
      };
  }
};

/** JSON has all of `extra_data` in one member, so its members do not depend on the data. */
const withExtra: Layout = {
  fields: [...fixedFields, EXTRA_FIELD],
  header: [...fixedFields, EXTRA_FIELD],
  extras: false,
};

/** The delimiter of each format of cells; `undefined` for JSON Lines, which has no cells. */
const delimiters: Readonly<Record<DataFormat, PrintStyle['delimiter'] | undefined>> = {
  csv: ',',
  txt: '\t',
  jsonl: undefined,
  excel_comma: ',',
  excel_semicolon: ';',
};

/** The print style of a definition; `undefined` for JSON Lines, which has no cells. */
export const styleOf = ({
  data_format,
  formula_guard,
}: Pick<ExportDefinition, 'data_format' | 'formula_guard'>): PrintStyle | undefined => {
  const delimiter = delimiters[data_format];
  return delimiter && { delimiter, formulaGuard: formula_guard };
};

/** The mark before the header. Without it, Excel takes a CSV file for one in its own code page. */
export const byteOrderMarkOf = ({ data_format }: Pick<ExportDefinition, 'data_format'>): string =>
  data_format.startsWith('excel_') ? '\uFEFF' : '';

/** The end of each line of a file. */
export const lineEndOf = ({ data_format }: Pick<ExportDefinition, 'data_format'>): string =>
  data_format === 'jsonl' ? '\n' : LINE_END;

/** The columns of `extra_data`. They follow from the keys in all parts. */
export interface ExtraColumns {
  readonly keys: readonly string[];
  /** Whether a last column holds the remaining keys, as JSON. */
  readonly rest: boolean;
}

/** How many of the smallest keys decide the columns, and whether keys remain. */
const KEYS_TO_KNOW = limits.exports.columns - fixedFields.length + 1;

/**
 * The columns for some keys behind a number of fixed columns, sorted by code unit: one for each key, or one for each of
 * the first keys and one for the rest. The smallest `KEYS_TO_KNOW` keys of a file are enough, and each of them is among
 * the smallest keys of a part.
 */
export const extraColumns = (
  keys: Iterable<string>,
  fixedColumns: number = fixedFields.length,
): ExtraColumns => {
  const sorted = [...new Set(keys)].sort();
  const free = limits.exports.columns - fixedColumns;
  return sorted.length <= free
    ? { keys: sorted, rest: false }
    : { keys: sorted.slice(0, free - 1), rest: true };
};

/** The cells of the header line. */
export const headerOf = (layout: Layout, { keys, rest }: ExtraColumns): readonly string[] => [
  ...layout.header,
  ...keys.map(extraField),
  ...(rest ? [EXTRA_FIELD] : []),
];

/** Collects keys in bounded memory: it keeps only the smallest `KEYS_TO_KNOW` keys. */
export const keyCollector = (): { add(key: string): void; smallest(): readonly string[] } => {
  let known = new Set<string>();
  const smallest = (): readonly string[] => [...known].sort().slice(0, KEYS_TO_KNOW);
  return {
    smallest,
    add: (key) => {
      known.add(key);
      if (known.size > 4 * KEYS_TO_KNOW) known = new Set(smallest());
    },
  };
};
