/**
 * Compares two parsers of a file's rows in one run: our scanner and parser, as the splitter and the workers use them,
 * and papaparse in chunks. `node cli/launch.mjs bench/probes/rows.ts [rows]` prints rows per second of processor time and the
 * ratio of the two. The ratio is the result; the rates depend on the machine and its load.
 */
import Papa from 'papaparse';
import { count, table as printTable } from '../../cli/terminal.ts';
import { decode } from '../../shared/csv/decode.ts';
import type { Dialect } from '../../shared/csv/dialect.ts';
import { parseRow } from '../../shared/csv/parse-row.ts';
import { RowScanner } from '../../shared/csv/row-scanner.ts';

const ROWS = Number(process.argv[2] ?? 100_000);
const COLUMNS = 15;
const ROUNDS = 3;

/** S3 returns pieces of this size. */
const PIECE_BYTES = 65_536;
const CHUNK_BYTES = 4_000_000;
const dialect: Dialect = { encoding: 'utf-8', delimiter: 'comma', newline: 'lf', trim: false };

/**
 * A file with a quoted cell in twenty, which contains a delimiter, doubled quotes and a line break, or without quoted
 * cells.
 */
const fileOf = (quotes: boolean): Buffer => {
  const cellOf = (row: number, column: number): string =>
    quotes && (row * COLUMNS + column) % 20 === 7
      ? `"cell, ${row} ""é""\n${column}"`
      : `cell ${row}-${column}`;
  const lines = Array.from({ length: ROWS }, (_, row) =>
    Array.from({ length: COLUMNS }, (__, column) => cellOf(row, column)).join(','),
  );
  return Buffer.from(`${lines.join('\n')}\n`);
};

/**
 * The splitter scans the file; workers scan their chunks again, decode and parse each row. Returns the number of cells.
 */
const ours = (file: Buffer): number => {
  let cells = 0;
  const splitter = new RowScanner(dialect, { offset: 0, line: 1 }, () => undefined);
  for (let at = 0; at < file.length; at += PIECE_BYTES) splitter.push(file.subarray(at, at + PIECE_BYTES));
  splitter.finish();
  const worker = new RowScanner(dialect, { offset: 0, line: 1 }, (start, end) => {
    const text = decode(file.subarray(start, end), 'utf-8');
    const row = text === undefined ? undefined : parseRow(text, ',');
    if (row?.ok) cells += row.value.length;
  });
  worker.push(file);
  worker.finish();
  return cells;
};

/** papaparse on the decoded text, in chunks. Returns the number of cells. */
const papa = (file: Buffer): number => {
  let cells = 0;
  const config = {
    delimiter: ',',
    newline: '\n',
    skipEmptyLines: true,
    chunkSize: CHUNK_BYTES,
    chunk: ({ data }: Papa.ParseResult<string[]>) => {
      for (const row of data) cells += row.length;
    },
  } as const;
  Papa.parse<string[]>(file.toString('utf8'), config);
  return cells;
};

/** Rows per second of processor time. Throws when a cell is missing. */
const rateOf = (read: (file: Buffer) => number, file: Buffer): number => {
  const before = process.cpuUsage();
  const cells = read(file);
  const { user, system } = process.cpuUsage(before);
  if (cells !== ROWS * COLUMNS) throw new Error(`${cells} cells instead of ${ROWS * COLUMNS}`);
  return ROWS / ((user + system) / 1_000_000);
};

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

for (const [name, file] of [
  ['no quotes', fileOf(false)],
  ['a cell in twenty in quotes', fileOf(true)],
] as const) {
  rateOf(ours, file);
  rateOf(papa, file);
  const rounds = Array.from({ length: ROUNDS }, () => ({
    ours: rateOf(ours, file),
    papa: rateOf(papa, file),
  }));
  printTable([
    [name, ''],
    ['scanner and parser of ours', `${count(Math.round(median(rounds.map((round) => round.ours))))} rows/s`],
    ['papaparse in chunks', `${count(Math.round(median(rounds.map((round) => round.papa))))} rows/s`],
    ['papaparse to ours', median(rounds.map((round) => round.papa / round.ours)).toFixed(2)],
  ]);
}
