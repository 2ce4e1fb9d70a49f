import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode } from '../../shared/csv/decode.ts';
import type { Dialect } from '../../shared/csv/dialect.ts';
import { parseRow, type RowFault } from '../../shared/csv/parse-row.ts';
import { RowScanner } from '../../shared/csv/row-scanner.ts';

const plain: Dialect = { encoding: 'utf-8', delimiter: 'comma', newline: 'lf' };

type Outcome = readonly (readonly string[] | RowFault | 'open_quote_at_end')[];

/** Reads a file given in pieces, as the splitter and the workers do together. */
const readAll = (bytes: Buffer, pieces: readonly Buffer[], dialect: Dialect): Outcome => {
  const rows: (readonly string[] | RowFault | 'open_quote_at_end')[] = [];
  const scanner = new RowScanner(dialect, { offset: 0, line: 1 }, (start, end) => {
    const text = decode(bytes.subarray(start, end), dialect.encoding) ?? '';
    const row = parseRow(text, dialect.delimiter === 'pipe' ? '|' : ',');
    rows.push(row.ok ? row.value : row.error);
  });
  for (const piece of pieces) scanner.push(piece);
  if (scanner.finish()) rows.push('open_quote_at_end');
  return rows;
};

const splitAt = (bytes: Buffer, at: number): Buffer[] => [bytes.subarray(0, at), bytes.subarray(at)];
const byteByByte = (bytes: Buffer): Buffer[] =>
  Array.from({ length: bytes.length }, (_, index) => bytes.subarray(index, index + 1));

/** The rows that csv-parse reads from a text; `undefined` when csv-parse refuses the text. */
const reference = (text: string, dialect: Dialect): string[][] | undefined => {
  try {
    return parse(text, {
      delimiter: dialect.delimiter === 'pipe' ? '|' : ',',
      record_delimiter: dialect.newline === 'cr' ? ['\r\n', '\n', '\r'] : ['\r\n', '\n'],
      relax_column_count: true,
      skip_empty_lines: true,
    });
  } catch {
    return undefined;
  }
};

const encoded = (text: string, dialect: Dialect): Buffer =>
  dialect.encoding === 'utf-16be'
    ? Buffer.from(text, 'utf16le').swap16()
    : Buffer.from(text, dialect.encoding === 'utf-16le' ? 'utf16le' : 'utf8');

const nasty = [
  '',
  'a,b\n1,2\n',
  'a,b\r\n1,2',
  '"a","b"\r\n"1","2"\r\n',
  '"line\nbreak","crlf\r\nbreak"\r\nx,y\n',
  '"say ""hi""",""""\n"""",""\n',
  'mixed,newlines\r\n1,2\n3,4\r\n\r\n\n5,6',
  'lone\rcr,in cell\n"lone\rcr",quoted\r\n',
  'é,ü,€,𝄞\n"é,","\n𝄞"\n',
  ',,\n,\n""\n',
  'trailing,cr\r',
  '#comment,is data\n__parsed_extra,x\n',
  'spaces , "kept"\n',
  '"a"b,c\nd,e\n',
  'a"b,c\nd,e\n',
  'a,"open\nb,c\n',
  'a,"x"\r"y"\nb\n',
];

describe.each([
  plain,
  { ...plain, delimiter: 'pipe' },
  { ...plain, newline: 'cr' },
  { ...plain, encoding: 'utf-16le' },
  { ...plain, encoding: 'utf-16be' },
] satisfies Dialect[])('rows of $encoding, $delimiter, $newline', (dialect) => {
  const compare = (text: string, pieces: readonly Buffer[]): void => {
    const found = readAll(encoded(text, dialect), pieces, dialect);
    const expected = reference(text, dialect);
    if (expected) expect(found).toEqual(expected);
    else expect(found.some((row) => typeof row === 'string')).toBe(true);
  };

  it.each(nasty)('the scanner agrees with csv-parse on %j at every split', (text) => {
    const bytes = encoded(text, dialect);
    compare(text, byteByByte(bytes));
    for (let at = 0; at <= bytes.length; at += 1) compare(text, splitAt(bytes, at));
  });

  it('the scanner agrees with csv-parse on generated text', () => {
    const token = fc.constantFrom('"', '""', ',', '|', '\n', '\r', '\r\n', 'a', 'é', '𝄞', ' ');
    const text = fc.array(token, { maxLength: 24 }).map((tokens) => tokens.join(''));
    fc.assert(
      fc.property(text, fc.nat(40), (written, at) => {
        compare(written, splitAt(encoded(written, dialect), at));
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('RowScanner', () => {
  const linesOf = (text: string): number[] => {
    const lines: number[] = [];
    const scanner = new RowScanner(plain, { offset: 100, line: 5 }, (_start, _end, _next, line) => {
      lines.push(line);
    });
    scanner.push(Buffer.from(text));
    scanner.finish();
    return lines;
  };

  it('the scanner counts lines, including lines inside quotes and blank lines', () => {
    expect(linesOf('a\n"b\nb"\n\nc\r\nd')).toEqual([5, 6, 9, 10]);
  });

  it('the rows cover the file: each row starts where the row before ends, blank lines aside', () => {
    const spans: [number, number, number][] = [];
    const scanner = new RowScanner(plain, { offset: 100, line: 1 }, (start, end, next) => {
      spans.push([start, end, next]);
    });
    scanner.push(Buffer.from('ab\r\ncd\nef'));
    scanner.finish();
    expect(spans).toEqual([
      [100, 102, 104],
      [104, 106, 107],
      [107, 109, 109],
    ]);
  });

  it('the scanner reports the place of an open quote', () => {
    const scanner = new RowScanner(plain, { offset: 0, line: 1 }, () => undefined);
    scanner.push(Buffer.from('a,b\nc,"d\ne,f\n'));
    expect(scanner.finish()).toEqual({ offset: 4, line: 2 });
  });
});
