/** `readLayout`: the dialect and the columns of a file from its first bytes, for the inspection of files. */
import { limits } from '../../config/limits.ts';
import type { Encoding } from '../../csv/dialect.ts';
import { findHeader } from '../../csv/find-header.ts';
import type { Header } from '../../csv/read-header.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { fileFailure } from '../jobs/fail-import.ts';
import { columnsOf } from '../mapping/field-map.ts';
import type { ImportDefinition } from '../model/import-definition.ts';
import type { FileFailure, Layout } from '../model/import-job.ts';

type HeaderRules = Pick<ImportDefinition, 'delimiter' | 'mapping_fields'>;

/** Reads the header of a file in this encoding, and finds the columns of every field map. Fails with a fault of the file. */
export const readLayout = (
  start: Buffer,
  encoding: Encoding,
  definition: HeaderRules,
): Result<Layout, FileFailure> => {
  const header = findHeader(start, encoding, definition.delimiter, wantedColumns(definition));
  if (!header.ok) return err(fileFailure(header.error, headerMessages[header.error], { line: 1 }));
  return layoutOf(definition, header.value);
};

const wantedColumns = ({ mapping_fields: { field_maps } }: HeaderRules): readonly string[] => [
  ...new Set(field_maps.flatMap(columnsOf).map((name) => name.trim())),
];

const headerMessages = {
  wrong_encoding: "The file is not in the definition's encoding.",
  no_header: 'The file has no header line.',
  bad_header: 'The header line has a quote in the wrong place.',
  header_too_large: `The header line is over ${limits.imports.headerBytes} bytes.`,
  ambiguous_delimiter:
    'More than one delimiter yields the columns of the definition. Set `delimiter` to one of them.',
} as const;

/** Finds the columns of every field map in the header. A missing or repeated column fails the file. */
const layoutOf = (definition: HeaderRules, header: Header): Result<Layout, FileFailure> => {
  const { cells } = header;
  if (cells.length > limits.imports.columns) {
    return err(
      fileFailure('too_many_columns', `The file has over ${limits.imports.columns} columns.`, { line: 1 }),
    );
  }
  const picks: number[][] = [];
  for (const map of definition.mapping_fields.field_maps) {
    const pick: number[] = [];
    for (const name of columnsOf(map)) {
      const wanted = name.trim();
      const index = cells.indexOf(wanted);
      if (index === -1) return err(columnFailure('missing_column', name, 'is not in the header'));
      if (cells.includes(wanted, index + 1))
        return err(columnFailure('duplicate_column', name, 'is in the header twice'));
      pick.push(index);
    }
    picks.push(pick);
  }
  const { dialect, text, offset, line } = header;
  return ok({ dialect, header: text, columns: cells.length, picks, offset, line });
};

const columnFailure = (code: string, column: string, fault: string): FileFailure =>
  fileFailure(code, `The column "${column}" of the definition ${fault}.`, { field: column, line: 1 });
