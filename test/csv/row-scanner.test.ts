import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode } from '../../shared/csv/decode.ts';
import type { Dialect } from '../../shared/csv/dialect.ts';
import { isRowOfNothing } from '../../shared/csv/no-row.ts';
import { parseRow, type RowFault } from '../../shared/csv/parse-row.ts';
import { RowChunker } from '../../shared/csv/row-chunks.ts';
import { RowScanner } from '../../shared/csv/row-scanner.ts';

const plain: Dialect = { encoding: 'utf-8', delimiter: 'comma', newline: 'lf', trim: false };

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
      skip_records_with_empty_values: true,
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

/** The rows of a text in UTF-8: the cells of each, or its fault. */
const trimmedRows = (text: string, trim: boolean): readonly (readonly string[] | string)[] => {
  const bytes = Buffer.from(text);
  const dialect: Dialect = { ...plain, trim };
  const rows: (readonly string[] | string)[] = [];
  const scanner = new RowScanner(dialect, { offset: 0, line: 1 }, (start, end) => {
    const row = parseRow(bytes.subarray(start, end).toString(), ',', trim);
    rows.push(row.ok ? row.value : row.error);
  });
  scanner.push(bytes);
  if (scanner.finish()) rows.push('open_quote_at_end');
  return rows;
};

/** A cell as a person may type it, with white space outside its quotes. */
const typed = fc
  .tuple(
    fc.array(fc.constantFrom('a', 'é', '"', ',', '\n', '\u200b'), { maxLength: 5 }),
    fc.constantFrom('', ' ', '\t '),
    fc.constantFrom('', '  '),
  )
  .map(([parts, before, after]) => {
    const text = parts.join('');
    return { text, written: `${before}"${text.replaceAll('"', '""')}"${after}` };
  });

describe('white space around cells', () => {
  it('is no part of them with trim, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(fc.array(typed, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), (rows) => {
        const file = rows.map((row) => row.map(({ written }) => written).join(',')).join('\n');
        const filled = rows.map((row) => row.map(({ text }) => text)).filter((row) => !isRowOfNothing(row));
        expect(trimmedRows(file, true)).toEqual(filled);
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuses a row without trim, and says why', () => {
    expect(trimmedRows('a, "b"\n"a" ,b\n"a" x,b\nx "a",b\n', false)).toEqual([
      'space_around_quote',
      'space_around_quote',
      'text_after_quote',
      'stray_quote',
    ]);
  });
});

describe('what is no row', () => {
  const tokens = [
    '"',
    '""',
    ',',
    '\n',
    '\r\n',
    'a',
    'é',
    ' ',
    '\ufeff',
    '\u200b',
    '\0',
    '\u001a',
    '\u00a0',
    'ï',
  ];
  const text = fc.array(fc.constantFrom(...tokens), { maxLength: 30 }).map((parts) => parts.join(''));

  /** The rows that chunks of these sizes hold, read chunk by chunk as workers do, with their numbers and lines. */
  const readChunks = (bytes: Buffer, at: number, dialect: Dialect, rows: number) => {
    const limits = { rows, bytes: 1_000, rowBytes: 1_000 };
    const chunker = new RowChunker(dialect, limits, { offset: 0, line: 1, row: 1 });
    const pieces = [bytes.subarray(0, at), bytes.subarray(at)];
    const chunks = [...pieces.flatMap((piece) => [...chunker.push(piece)]), ...chunker.finish().chunks];
    return chunks.flatMap((chunk) => {
      const found: unknown[] = [];
      const place = { offset: chunk.start, line: chunk.line };
      const scanner = new RowScanner(dialect, place, (start, end, _next, line) => {
        found.push([chunk.row + found.length, line, bytes.subarray(start, end).toString('hex')]);
      });
      scanner.push(bytes.subarray(chunk.start, chunk.end));
      scanner.finish();
      expect(found).toHaveLength(chunk.rows);
      return found;
    });
  };

  it.each(['utf-8', 'utf-16le', 'utf-16be'] as const)(
    'is the same for the split and the workers, wherever the file is cut: %s',
    (encoding) => {
      fc.assert(
        fc.property(text, fc.boolean(), fc.integer({ min: 1, max: 4 }), (written, trim, rows) => {
          const dialect: Dialect = { ...plain, encoding, trim };
          const bytes = encoded(written, dialect);
          const whole = readChunks(bytes, 0, dialect, 1_000);
          for (let at = 0; at <= bytes.length; at += 1)
            expect(readChunks(bytes, at, dialect, rows)).toEqual(whole);
        }),
        { numRuns: 300 },
      );
    },
  );

  it('is a row without a character that shows, of any length', () => {
    for (const row of [
      ',,',
      ' ,\t',
      '"",""',
      '" ",\u00a0',
      '\u200b',
      '\0'.repeat(10_000),
      ','.repeat(10_000),
    ])
      expect(trimmedRows(`a\n${row}\nb\n`, false), JSON.stringify(row).slice(0, 40)).toEqual([['a'], ['b']]);
  });

  it('is not a row with a letter of any alphabet, a quote in quotes, or a quote in the wrong place', () => {
    for (const row of ['é,', ',Ω', '"é"', '""""', '日本', ' "",', 'ï,', '-'])
      expect(trimmedRows(`${row}\n`, false), row).toHaveLength(1);
  });

  it('is the padding behind the last row', () => {
    expect(trimmedRows('a\nb\u001a', false)).toEqual([['a'], ['b']]);
    expect(trimmedRows('a\n"b"\0\0\0', false)).toEqual([['a'], ['b']]);
  });
});
