/** Files in code pages: texts that are encoded, cut anywhere, found by the scanner and decoded come back as they were. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode } from '../../shared/csv/decode.ts';
import {
  codePages,
  delimiterNames,
  delimiters,
  type Dialect,
  isSingleByte,
} from '../../shared/csv/dialect.ts';
import { parseRow } from '../../shared/csv/parse-row.ts';
import { printRow } from '../../shared/csv/print-line.ts';
import { RowScanner } from '../../shared/csv/row-scanner.ts';
import { encoderOf } from '../support/code-pages.ts';

const rowsOf = (file: Buffer, dialect: Dialect, cuts: readonly number[]): string[][] => {
  const rows: string[][] = [];
  const scanner = new RowScanner(dialect, { offset: 0, line: 1 }, (start, end) => {
    const text = decode(file.subarray(start, end), dialect.encoding);
    const cells = parseRow(text ?? '', delimiters[dialect.delimiter], dialect.trim);
    rows.push(text !== undefined && cells.ok ? [...cells.value] : ['?']);
  });
  const ends = [...cuts.map((cut) => cut % (file.length + 1)).toSorted((a, b) => a - b), file.length];
  let from = 0;
  for (const end of ends) {
    scanner.push(file.subarray(from, end));
    from = end;
  }
  scanner.finish();
  return rows;
};

describe('rows of a code page', () => {
  it.each(codePages)('in %s come back as they were, wherever the file is cut', (encoding) => {
    const encoder = encoderOf(encoding);
    const character = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...encoder.characters) },
      { weight: 1, arbitrary: fc.constantFrom('a', 'Z', '0', ' ', '"', ',', ';', '|', '\t', '\n', '\\') },
    );
    const cell = fc.array(character, { maxLength: 8 }).map((characters) => characters.join(''));
    // Every row has a cell that shows something: a row of nothing is no row.
    const row = fc.array(cell, { minLength: 1, maxLength: 3 }).map((cells) => ['#', ...cells]);
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...delimiterNames),
        fc.array(fc.nat(500), { maxLength: 5 }),
        (rows, delimiter, cuts) => {
          const text = rows.map((cells) => `${printRow(cells, delimiters[delimiter])}\r\n`).join('');
          const found = rowsOf(
            encoder.encode(text),
            { encoding, delimiter, newline: 'lf', trim: false },
            cuts,
          );
          expect(found).toEqual(rows);
        },
      ),
      { numRuns: isSingleByte(encoding) ? 60 : 300 },
    );
  });

  it.each(['shift_jis', 'big5', 'gb18030'] as const)('in %s end after half a character', (encoding) => {
    const { characters, encode } = encoderOf(encoding);
    const wide = characters.map((character) => encode(character)).find((bytes) => bytes.length === 2);
    const half = wide?.subarray(0, 1) ?? Buffer.alloc(0);
    const file = Buffer.concat([Buffer.from('a|'), half, Buffer.from('\nb|c\n')]);
    const dialect: Dialect = { encoding, delimiter: 'pipe', newline: 'lf', trim: false };
    expect(rowsOf(file, dialect, [])).toEqual([['?'], ['b', 'c']]);
  });

  it.each(['shift_jis', 'big5', 'gb18030'] as const)(
    'in %s are refused alone if a quote follows a second byte that looks like a pipe',
    (encoding) => {
      const { characters, encode } = encoderOf(encoding);
      const likePipe = characters.map((character) => encode(character)).find((bytes) => bytes[1] === 0x7c);
      const file = Buffer.concat([Buffer.from('a|'), likePipe ?? Buffer.alloc(0), Buffer.from('"\nb|c\n')]);
      const dialect: Dialect = { encoding, delimiter: 'pipe', newline: 'lf', trim: false };
      for (let cut = 0; cut <= file.length; cut += 1)
        expect(rowsOf(file, dialect, [cut])).toEqual([['?'], ['b', 'c']]);
    },
  );
});
