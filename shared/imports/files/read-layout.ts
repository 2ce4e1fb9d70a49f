/** `readLayout`: the dialect and the columns of a file from its first bytes, for the inspection of files. */
import { limits } from '../../config/limits.ts';
import type { Dialect, Encoding, Delimiter } from '../../csv/dialect.ts';
import { findHeader, type HeaderSearch, laterHeader, wantedIn } from '../../csv/find-header.ts';
import { type Header, headerBytes, type HeaderFault } from '../../csv/read-header.ts';
import { wrongBytes, wrongBytesMessage } from '../../csv/wrong-bytes.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { visibleText } from '../../runtime/visible-text.ts';
import { fileFailure } from '../jobs/fail-import.ts';
import { type FieldMap, type SourceColumn, sourceColumns } from '../mapping/field-map.ts';
import type { ImportDefinition } from '../items/import-definition.ts';
import type { FileFailure, Layout } from '../items/import-job.ts';
import { nearest } from '../../http/did-you-mean.ts';
import { firstOf, shortened } from '../../runtime/shortened.ts';

/** The parts of a definition that say how a header is read. */
export type HeaderRules = Pick<ImportDefinition, 'delimiter' | 'header_line' | 'trim' | 'mapping_fields'>;

/** Reads the header of a file in this encoding, and finds the columns of every field map. Fails with a fault of the file. */
export const readLayout = (
  start: Buffer,
  encoding: Encoding,
  definition: HeaderRules,
): Result<Layout, FileFailure> => {
  const search = searchBy(definition, encoding);
  const { wanted } = search;
  const read = findHeader(start, search);
  if (!read.ok) return err(unreadable(read.error, start, search));
  const header = read.value;
  const { cells, dialect, text, at, offset, line } = header;
  if (cells.length > limits.imports.columns) {
    return err(
      fileFailure('too_many_columns', `The file has over ${limits.imports.columns} columns.`, { line: at }),
    );
  }
  const { field_maps } = definition.mapping_fields;
  const indexes = Map.groupBy(cells.keys(), (index) => cells[index] ?? '');
  const timesOf = (name: string): number => indexes.get(name)?.length ?? 0;
  const columns = field_maps.flatMap(visibleColumns);
  const missing = namesOf(columns.filter(({ name, occurrence = 1 }) => timesOf(name) < occurrence));
  if (missing.length > 0) {
    const used = new Set(wanted);
    const spare = cells.filter((cell) => !used.has(cell));
    const later = laterHeader(start, header, search)?.at;
    const better = later === undefined ? betterDialect(start, header, search) : undefined;
    return err(missingColumns(missing, header, spare, { later, dialect: better }));
  }
  const repeated = namesOf(
    columns.filter(({ name, occurrence }) => occurrence === undefined && timesOf(name) > 1),
  );
  if (repeated.length > 0) return err(repeatedColumns(repeated, header));
  const picks = field_maps.map((map) =>
    visibleColumns(map).map(({ name, occurrence = 1 }) => indexes.get(name)?.[occurrence - 1] ?? -1),
  );
  return ok({ dialect, header: text, columns: cells.length, picks, offset, line });
};

/** The columns that a field map reads, with their names as headers show them. */
const visibleColumns = (map: FieldMap): readonly SourceColumn[] =>
  sourceColumns(map).map((column) => ({ ...column, name: visibleText(column.name) }));

/** The names of columns, each once. */
const namesOf = (columns: readonly SourceColumn[]): readonly string[] => [
  ...new Set(columns.map(({ name }) => name)),
];

/** The dialect under which the header has more of the wanted columns, for a hint. */
const betterDialect = (start: Buffer, header: Header, search: HeaderSearch): Dialect | undefined => {
  const { dialect } = header;
  const { wanted } = search;
  const most = wantedIn(header, wanted);
  const others: readonly Encoding[] =
    dialect.encoding === 'windows-1252' ? ['windows-1252', 'utf-8'] : [dialect.encoding];
  const headers = others
    .map((encoding) => findHeader(start, { ...search, encoding, choice: 'auto' }))
    .flatMap((read) => (read.ok ? [read.value] : []))
    .map((other) => ({ dialect: other.dialect, count: wantedIn(other, wanted) }))
    .filter(({ count }) => count > most);
  return headers.toSorted((a, b) => b.count - a.count)[0]?.dialect;
};

/** How a definition looks for the header of a file in this encoding. */
export const searchBy = (definition: HeaderRules, encoding: Encoding): HeaderSearch => ({
  encoding,
  choice: definition.delimiter,
  trim: definition.trim,
  headerLine: definition.header_line,
  wanted: wantedColumns(definition),
});

/** The columns that a definition reads, each once. */
const wantedColumns = ({
  mapping_fields: { field_maps },
}: Pick<HeaderRules, 'mapping_fields'>): readonly string[] => namesOf(field_maps.flatMap(visibleColumns));

const unreadable = (
  fault: HeaderFault | 'ambiguous_delimiter',
  start: Buffer,
  { choice, ...search }: HeaderSearch,
): FileFailure => {
  const place = { line: search.headerLine ?? 1 };
  if (fault === 'no_header' && search.headerLine !== null) {
    return fileFailure(
      fault,
      `The file has no row from line ${search.headerLine} on, its \`header_line\`.`,
      place,
    );
  }
  const reading = { ...search, delimiter: choice === 'auto' ? ('comma' as const) : choice };
  if (fault === 'bad_header' && findHeader(start, { ...search, choice, trim: true }).ok)
    return fileFailure(fault, SPACES_AROUND_QUOTES, place);
  if (fault !== 'wrong_encoding') return fileFailure(fault, headerMessages[fault], place);
  const wrong = wrongBytes(headerBytes(start, reading), reading);
  return fileFailure(fault, `The header line is not text: ${wrongBytesMessage(wrong)}`, place);
};

const SPACES_AROUND_QUOTES =
  'The header line has white space around the quotes of a cell. Set `trim` to true, which leaves it out.';

/** What a client reads when a header cannot be read. */
export const headerMessages = {
  wrong_encoding: 'The header line is not text in the encoding of the file.',
  no_header: 'The file is empty: it has no header line.',
  bad_header:
    'The header line has a quote in the wrong place. A cell with a quote must be in quotes, with each quote doubled.',
  header_too_large: `The header line is over ${limits.imports.headerBytes} bytes.`,
  ambiguous_delimiter:
    'More than one delimiter yields the columns of the definition. Set `delimiter` to one of them.',
} as const;

/** Names of columns that a message lists. */
const MOST_NAMES = 20;

/** Characters of the header line that a message shows. */
const MOST_SHOWN = 100;

const plurals: Readonly<Record<Delimiter, string>> = {
  comma: 'commas',
  semicolon: 'semicolons',
  tab: 'tabs',
  pipe: 'pipes',
};

/** Where more columns of a definition are found: in a later line, or in the header as another dialect reads it. */
interface Better {
  readonly later: number | undefined;
  readonly dialect: Pick<Dialect, 'encoding' | 'delimiter'> | undefined;
}

/**
 * The failure of a header without some columns of the definition. `better` tells where more of them are. Without
 * it, a column of `spare`, which the definition does not use, may have almost the same name.
 */
const missingColumns = (
  missing: readonly string[],
  header: Header,
  spare: readonly string[],
  better: Better,
): FileFailure => {
  const isElsewhere = better.later !== undefined || better.dialect !== undefined;
  const textOf = (name: string): string => {
    if (header.cells.includes(name)) return `${quoted(name)} (too few of this name)`;
    // A header of one column is shown as a whole anyway.
    const near = isElsewhere || header.cells.length === 1 ? undefined : nearest(name, spare);
    return near === undefined ? quoted(name) : `${quoted(name)} (the header has ${quoted(near)})`;
  };
  // The comparison of names is slow, and few names are shown.
  const names = firstOf(missing, MOST_NAMES, textOf);
  const message = `Columns missing in the header: ${names}. ${found(header, better)}${hint(header, better)}`;
  return fileFailure('missing_column', message, { field: missing[0] ?? null, line: header.at });
};

/** The failure of a header with some columns of the definition more than once. */
const repeatedColumns = (repeated: readonly string[], { at }: Header): FileFailure =>
  fileFailure(
    'duplicate_column',
    `Columns more than once in the header: ${firstOf(repeated, MOST_NAMES, quoted)}. Give each column a name of its own, or state the \`occurrence\` of its source.`,
    { field: repeated[0] ?? null, line: at },
  );

const found = ({ cells, text, dialect, at }: Header, { later }: Better): string => {
  if (later === undefined && cells.some((cell) => cell.includes('@'))) {
    return at > 1
      ? `Line ${at} looks like a row of data. Set \`header_line\` to the line with the column names.`
      : 'The first line looks like a row of data. The file must begin with a line of column names.';
  }
  const columns =
    cells.length === 1 ? '1 column' : `${cells.length} columns, delimited by ${plurals[dialect.delimiter]}`;
  return `The header has ${columns}: ${quoted(shortened(text, MOST_SHOWN))}.`;
};

const hint = ({ dialect }: Header, { later, dialect: better }: Better): string => {
  if (later !== undefined) return ` Line ${later} looks like the header: set \`header_line\` to ${later}.`;
  if (!better) return '';
  const { encoding, delimiter } = better;
  const hints = [
    ...(delimiter === dialect.delimiter
      ? []
      : [` It looks delimited by ${plurals[delimiter]}: set \`delimiter\` to ${delimiter} or auto.`]),
    ...(encoding === dialect.encoding
      ? []
      : [` It looks like ${encoding}: set \`encoding\` to ${encoding} or auto.`]),
  ];
  return hints.join('');
};

const quoted = (text: string): string => JSON.stringify(text);
