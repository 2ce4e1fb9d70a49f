import { limits } from '../../config/limits.ts';
import type { ExportDefinition } from '../model/items.ts';
import { CHANGE_COLUMN, EXTRA_FIELD, extraField, fixedFields } from '../model/fields.ts';
import type { PrintStyle } from '../../csv/print-line.ts';

/** What the columns of an export are before its data is known. */
export interface Layout {
  /** Attribute of each fixed column. */
  readonly fields: readonly string[];
  /** Names of the fixed columns in the file, that of the changes of a delta included. */
  readonly header: readonly string[];
  /** Whether the keys of `extra_data` that occur become columns too. */
  readonly extras: boolean;
}

/** The columns a definition asks for; a delta has one more in front. */
export const layoutOf = (definition: ExportDefinition): Layout => {
  const layout = fieldsOf(definition);
  return definition.scope === 'delta' ? { ...layout, header: [CHANGE_COLUMN, ...layout.header] } : layout;
};

const fieldsOf = ({ field_set, custom_result_format }: ExportDefinition): Layout => {
  switch (field_set) {
    case 'all':
      return { fields: fixedFields, header: fixedFields, extras: true };
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

/** How a definition wants its cells printed. */
export const styleOf = ({ data_format, formula_guard }: ExportDefinition): PrintStyle => ({
  delimiter: data_format === 'csv' ? ',' : '\t',
  formulaGuard: formula_guard,
});

/** Columns of the keys of `extra_data`, once all keys that occur are known. */
export interface ExtraColumns {
  readonly keys: readonly string[];
  /** Whether keys were left over: they share a last column, as JSON. */
  readonly rest: boolean;
}

/** Smallest keys that must be known to tell the columns, and whether there are more. */
const KEYS_TO_KNOW = limits.exports.columns - fixedFields.length + 1;

/**
 * The columns for these keys behind so many fixed ones, sorted by code unit: all of them, or the first ones and one for the
 * rest. The smallest `KEYS_TO_KNOW` keys of a file are enough, and are among the smallest of its parts.
 */
export const extraColumns = (
  keys: Iterable<string>,
  fixedColumns: number = fixedFields.length,
): ExtraColumns => {
  const sorted = [...new Set(keys)].sort();
  const room = limits.exports.columns - fixedColumns;
  return sorted.length <= room
    ? { keys: sorted, rest: false }
    : { keys: sorted.slice(0, room - 1), rest: true };
};

/** The header line's cells. */
export const headerOf = (layout: Layout, { keys, rest }: ExtraColumns): readonly string[] => [
  ...layout.header,
  ...keys.map(extraField),
  ...(rest ? [EXTRA_FIELD] : []),
];

/** Collects keys, remembering the smallest `KEYS_TO_KNOW` only, so that memory stays bounded. */
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
