import { delimiters } from './csv/dialect.ts';
import { parseRow } from './csv/parse-row.ts';
import type { ImportDefinition } from './definition.ts';
import type { Layout } from './job.ts';
import { HIDDEN } from './tokens.ts';

/**
 * How reports show the rows of a file whose definition fills social tokens from these columns: with those cells hidden.
 * A row in which they cannot be told for sure (it does not parse, or has not as many cells as the header) is hidden whole.
 */
export const hidingCells = (
  { mapping_fields: { field_maps } }: ImportDefinition,
  { picks, columns, dialect }: Layout,
): ((text: string) => string) => {
  const hidden = new Set(
    field_maps.flatMap(({ target_field }, index) =>
      target_field === 'social_token' ? (picks[index] ?? []) : [],
    ),
  );
  if (hidden.size === 0) return (text) => text;
  const delimiter = delimiters[dialect.delimiter];
  return (text) => {
    const cells = parseRow(text, delimiter);
    if (!cells.ok || cells.value.length !== columns) return HIDDEN;
    return cells.value
      .map((cell, index) => printed(hidden.has(index) && cell !== '' ? HIDDEN : cell, delimiter))
      .join(delimiter);
  };
};

const printed = (cell: string, delimiter: string): string =>
  cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
