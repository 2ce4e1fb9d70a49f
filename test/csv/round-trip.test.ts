import { describe, expect, it } from 'vitest';
import { decode } from '../../shared/csv/decode.ts';
import { type Dialect, delimiters } from '../../shared/csv/dialect.ts';
import { parseRow } from '../../shared/csv/parse-row.ts';
import { printRow } from '../../shared/csv/print-line.ts';
import { RowChunker } from '../../shared/csv/row-chunks.ts';
import { RowScanner } from '../../shared/csv/row-scanner.ts';

/** Every cell shape that has broken a CSV reader before. */
const latin = [
  'plain',
  '',
  'a"b',
  '"',
  '""',
  ',',
  '\t',
  '|',
  ';',
  'a,b\tc|d;e',
  'x\r\ny',
  '\n',
  'a\rb',
  '=1+1',
  "'=x",
  '+49 1',
  '-',
  '@x',
  ' é ',
  'ÿ"\n"',
];
const wide = [...latin, '𝄞', '日本\n語', 'e\u0301', '\u200b', '👩‍👩‍👧', 'ш"ш', '\u0a22\u2c00'];

const dialects: readonly (readonly [Dialect, readonly string[], (text: string) => Buffer])[] = (
  ['comma', 'semicolon', 'tab', 'pipe'] as const
).flatMap((delimiter) => [
  [
    { encoding: 'utf-8', delimiter, newline: 'lf', trim: false },
    wide,
    (text: string) => Buffer.from(text),
  ] as const,
  [
    { encoding: 'utf-16le', delimiter, newline: 'lf', trim: false },
    wide,
    (text: string) => Buffer.from(text, 'utf16le'),
  ] as const,
  [
    { encoding: 'utf-16be', delimiter, newline: 'lf', trim: false },
    wide,
    (text: string) => Buffer.from(text, 'utf16le').swap16(),
  ] as const,
  [
    { encoding: 'windows-1252', delimiter, newline: 'lf', trim: false },
    latin,
    (text: string) => Buffer.from(text, 'latin1'),
  ] as const,
]);

/**
 * Reads a file that arrives in these pieces: the splitter cuts chunks of rows, and each chunk is then read by itself.
 */
const read = (dialect: Dialect, file: Buffer, pieces: readonly Buffer[], rows: number): string[][] => {
  const chunker = new RowChunker(
    dialect,
    { rows, bytes: 1_000_000, rowBytes: 1_000_000 },
    { offset: 0, line: 1, row: 1 },
  );
  const chunks = [...pieces.flatMap((piece) => [...chunker.push(piece)]), ...chunker.finish().chunks];
  return chunks.flatMap(({ start, end, line }) => {
    const found: string[][] = [];
    const scanner = new RowScanner(dialect, { offset: start, line }, (from, to) => {
      const cells = parseRow(
        decode(file.subarray(from, to), dialect.encoding) ?? '',
        delimiters[dialect.delimiter],
      );
      found.push(cells.ok ? [...cells.value] : [cells.error]);
    });
    scanner.push(file.subarray(start, end));
    scanner.finish();
    return found;
  });
};

describe('cells of every shape', () => {
  it.each(dialects)(
    'cells come back byte for byte wherever the file is cut: %j',
    (dialect, cells, encode) => {
      const long = 'x"\r\n,'.repeat(40);
      const rows = cells.map((cell, index) => [
        '#',
        cell,
        cells[cells.length - 1 - index] ?? '',
        index === 3 ? long : '$',
      ]);
      const delimiter = delimiters[dialect.delimiter];
      const text = rows
        .map((row, index) => printRow(row, delimiter) + (index % 2 === 0 ? '\n' : '\r\n'))
        .join('');
      const file = encode(text);
      for (let at = 0; at <= file.length; at += 1)
        expect(read(dialect, file, [file.subarray(0, at), file.subarray(at)], 3), `cut at ${at}`).toEqual(
          rows,
        );
      for (const count of [1, 2, 7, 1_000]) {
        const bytes = Array.from(file, (_, index) => file.subarray(index, index + 1));
        expect(read(dialect, file, bytes, count)).toEqual(rows);
      }
    },
  );
});
