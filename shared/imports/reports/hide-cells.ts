import { delimiters } from '../../csv/dialect.ts';
import { parseRow } from '../../csv/parse-row.ts';
import { printRow } from '../../csv/print-row.ts';
import type { ImportDefinition } from '../model/import-definition.ts';
import type { Layout } from '../model/import-job.ts';
import { HIDDEN } from '../model/social-tokens.ts';

/** Indexes of the columns of a file that are mapped to social tokens. */
export const hiddenColumns = (
  { mapping_fields: { field_maps } }: ImportDefinition,
  { picks }: Layout,
): ReadonlySet<number> =>
  new Set(
    field_maps.flatMap(({ target_field }, index) =>
      target_field === 'social_token' ? (picks[index] ?? []) : [],
    ),
  );

/**
 * Returns the function that hides social tokens in the text of a row, for reports. It hides the whole row when the cells cannot
 * be located: the row does not parse, or its number of cells differs from the header.
 */
export const cellHider = (definition: ImportDefinition, layout: Layout): ((text: string) => string) => {
  const { columns, dialect } = layout;
  const hidden = hiddenColumns(definition, layout);
  if (hidden.size === 0) return (text) => text;
  const delimiter = delimiters[dialect.delimiter];
  return (text) => {
    const cells = parseRow(text, delimiter);
    if (!cells.ok || cells.value.length !== columns) return HIDDEN;
    const shown = cells.value.map((cell, index) => (hidden.has(index) && cell !== '' ? HIDDEN : cell));
    return printRow(shown, delimiter);
  };
};
