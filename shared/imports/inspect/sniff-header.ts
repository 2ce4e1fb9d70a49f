/** Sniff header: the delimiter, the header and its line that fit the first bytes of a file best, for `inspectImport`. */
import { limits } from '../../config/limits.ts';
import { decodeLossy } from '../../csv/decode.ts';
import { delimiterNames } from '../../csv/dialect.ts';
import { findHeader } from '../../csv/find-header.ts';
import { isBlank } from '../../csv/no-row.ts';
import {
  type Header,
  type HeaderFault,
  type HeaderReading,
  possibleHeaders,
  readHeader,
} from '../../csv/read-header.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { headerMessages, type HeaderRules, readLayout, searchBy } from '../files/read-layout.ts';
import { fileFailure } from '../jobs/fail-import.ts';
import type { FileFailure } from '../items/import-job.ts';
import { type Sample, sampleRows } from './read-sample.ts';
import { columnTargets } from './suggest/match-columns.ts';
import { qualifiedTarget } from './suggest/qualified-names.ts';

/** A header, and what a definition must say so that an import finds it. */
export interface FoundHeader {
  readonly header: Header;
  readonly header_line: number | null;
  readonly trim: boolean;
}

/** Rows among which the header is sought. */
const HEADER_ROWS = 20;

/**
 * The header in the reading that fits best: most columns with a known name, the stated delimiter, most rows with as many
 * cells as the header, most columns. Lines before the header are recognised. A definition gives its `header_line`. It gives
 * its delimiter too if it finds all its columns so; else the suggestion says what fits the file better.
 */
export const sniffHeader = (
  { bytes, encoding }: Sample,
  definition: HeaderRules | undefined,
): Result<FoundHeader, FileFailure> => {
  const headerLine = definition?.header_line ?? null;
  const { delimiter: stated = 'auto' } =
    definition && readLayout(bytes, encoding, definition).ok ? definition : {};
  const tried = stated === 'auto' ? delimiterNames : [stated];
  const trims = spaceAroundQuote.test(decodeLossy(bytes, encoding)) ? [false, true] : [false];
  const readings = trims.flatMap((trim) =>
    tried.map((delimiter) => chosenHeader(bytes, { encoding, delimiter, trim, headerLine })),
  );
  const scored = readings
    .flatMap((found) => (found.ok ? [found.value] : []))
    .map((found) => ({ found, score: scoreOf(found.header, bytes) }))
    .toSorted((a, b) => compare(b.score, a.score));
  const [best] = scored;
  if (best) return looksLikeData(best.found.header) ? err(noNames(best.found.header)) : ok(best.found);
  const [fault] = readings.flatMap((reading) => (reading.ok ? [] : [reading.error]));
  const code = fault ?? 'no_header';
  return err(fileFailure(code, headerMessages[code], { line: 1 }));
};

/** Only such a file may read better with `trim`. */
const spaceAroundQuote = /[ \t]"|"[ \t]/;

/** The header as a definition says. Fails with the fault for which its job would fail. */
export const headerBy = (
  { bytes, encoding }: Sample,
  definition: HeaderRules,
): Result<FoundHeader, FileFailure> => {
  const found = findHeader(bytes, searchBy(definition, encoding));
  const { header_line, trim } = definition;
  return found.ok
    ? ok({ header: found.value, header_line, trim })
    : err(fileFailure(found.error, headerMessages[found.error], { line: header_line ?? 1 }));
};

/** The header in one reading: the first row, unless a later row of the first ones is clearly the header. */
const chosenHeader = (bytes: Buffer, reading: HeaderReading): Result<FoundHeader, HeaderFault> => {
  const { headerLine, trim } = reading;
  const first = readHeader(bytes, reading);
  if (headerLine !== null)
    return first.ok ? ok({ header: first.value, header_line: headerLine, trim }) : first;
  const rows = possibleHeaders(bytes, reading, HEADER_ROWS).map(candidate);
  const later = rows
    .filter((_, index) => index > 0 && isHeaderAt(rows, index))
    .toSorted((a, b) => b.known - a.known)[0];
  if (later) return ok({ header: later.header, header_line: later.header.at, trim });
  return first.ok ? ok({ header: first.value, header_line: null, trim }) : first;
};

/** A row that may be the header: its number of filled cells, and of names that are known. */
interface Candidate {
  readonly header: Header;
  readonly filled: number;
  readonly known: number;
}

const candidate = (header: Header): Candidate => ({
  header,
  filled: header.cells.filter((cell) => !isBlank(cell)).length,
  known: knownIn(header.cells),
});

/** Number of names of a header that are known. */
export const knownIn = (cells: readonly string[]): number =>
  columnTargets(cells).filter(
    (column, index) => column !== null || qualifiedTarget(cells[index] ?? '') !== undefined,
  ).length;

/**
 * Whether a later row is the header. Its names say so, when they are known and those of the rows before are not. Or the
 * rows before are titles: none has more than half as many filled cells, no name in them is known, and the rows below are
 * as wide as this row.
 */
const isHeaderAt = (rows: readonly Candidate[], index: number): boolean => {
  const row = rows[index];
  if (!row || !looksLikeNames(row.header.cells)) return false;
  const before = rows.slice(0, index);
  const isKnown =
    row.known * 2 >= row.filled &&
    before.every(({ known, filled }) => known < row.known && filled <= row.filled);
  if (isKnown) return true;
  const hasTitles =
    row.filled > 1 && before.every(({ known, filled }) => known === 0 && filled * 2 <= row.filled);
  return hasTitles && rows.slice(index + 1).some(({ filled }) => filled * 2 > row.filled);
};

const looksLikeNames = (cells: readonly string[]): boolean => {
  const names = cells.filter((cell) => !isBlank(cell));
  return new Set(names).size === names.length && !names.some(isData);
};

/** An address, a date, a decimal or a long number is no name of a column. `2024` may be one. */
const isData = (cell: string): boolean =>
  cell.includes('@') || (data.test(cell) && /\d\D*\d\D*\d\D*\d\D*\d/.test(cell));
const data = /^[+(]?\d[\d .,:/()TZ-]*$/;

/** Whether the line that would be the header is a row of data: no name is known, and a cell is no name. */
const looksLikeData = ({ cells }: Header): boolean =>
  cells.some(isAddress) || (knownIn(cells) === 0 && cells.some(isData));

const isAddress = (cell: string): boolean =>
  !/\s/.test(cell) && cell.indexOf('@') > 0 && cell.lastIndexOf('.') > cell.indexOf('@');

const noNames = ({ at }: Header): FileFailure =>
  fileFailure(
    'no_header',
    `${at === 1 ? 'The first line' : `Line ${at}`} looks like a row of data. The file must begin with a line of column names.`,
    { line: at },
  );

const scoreOf = (header: Header, bytes: Buffer): readonly number[] => {
  const { length } = header.cells;
  const rows = sampleRows({ ...header, columns: length }, bytes, limits.imports.inspectedRows);
  return [
    knownIn(header.cells),
    Number(header.isStated),
    length > 1 ? rows.filter(({ cells }) => cells.length === length).length : 0,
    length,
  ];
};

const compare = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
};
