import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { guardCell, LINE_END, printLine, unguardCell } from '../../shared/csv/print-line.ts';

const cell = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(
      '"',
      ',',
      ';',
      '|',
      '\t',
      '\r',
      '\n',
      "'",
      '=',
      '+',
      '-',
      '@',
      '＝',
      '1',
      ' ',
      'é',
      '𝒳',
    ),
  }),
);
const cells = v.array(v.array(v.string()));
const table = fc
  .integer({ min: 1, max: 6 })
  .chain((width) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
  );

describe('printed lines', () => {
  for (const delimiter of [',', '\t'] as const)
    it(`printed lines come back from csv-parse unchanged (${JSON.stringify(delimiter)})`, () => {
      fc.assert(
        fc.property(table, (rows) => {
          const style = { delimiter, formulaGuard: false };
          const text = rows.map((row) => printLine(style, row) + LINE_END).join('');
          const read: unknown = parse(text, {
            delimiter,
            record_delimiter: '\r\n',
            relax_column_count: true,
          });
          expect(read).toEqual(rows);
        }),
        { numRuns: 2_000 },
      );
    });

  it('guarded lines come back unchanged once the guard is undone', () => {
    fc.assert(
      fc.property(table, fc.constantFrom(',' as const, '\t' as const), (rows, delimiter) => {
        const style = { delimiter, formulaGuard: true };
        const text = rows.map((row) => printLine(style, row) + LINE_END).join('');
        const read: unknown = parse(text, { delimiter, record_delimiter: '\r\n' });
        expect(v.parse(cells, read).map((row) => row.map(unguardCell))).toEqual(rows);
      }),
      { numRuns: 2_000 },
    );
  });

  it('the printer leaves cells unchanged that RFC 4180 does not quote', () => {
    const style = { delimiter: ',', formulaGuard: false } as const;
    expect(printLine(style, ['a', '', ' b ', 'c"d', 'e,f', 'g\nh', "i'j"])).toBe(
      `a,, b ,"c""d","e,f","g\nh",i'j`,
    );
    expect(printLine(style, [''])).toBe('""');
    expect(printLine(style, ['', ''])).toBe(',');
  });
});

describe('the formula guard', () => {
  it.each(['x;=cmd', 'x|=cmd', 'x\t=cmd', 'x,=cmd', 'x; @cmd', 'x;＝cmd', 'a;b'])(
    'the formula guard keeps %j one cell, whatever separator its reader uses',
    (given) => {
      for (const delimiter of [',', '\t'] as const) {
        const line = printLine({ delimiter, formulaGuard: true }, [given]);
        expect(line).toBe(`"${given}"`);
        for (const other of [',', ';', '|', '\t'])
          expect(parse(line, { delimiter: other })).toEqual([[given]]);
      }
    },
  );

  it('the guard of every cell is undone by dropping one quote', () => {
    fc.assert(
      fc.property(cell, (text) => {
        expect(unguardCell(guardCell(text))).toBe(text);
      }),
      { numRuns: 20_000 },
    );
  });

  it('no guarded cell starts a formula, except plain numbers', () => {
    fc.assert(
      fc.property(cell, (text) => {
        const guarded = guardCell(text);
        const shown = guarded.trimStart();
        if (/^[=@＝＋－＠]/.test(shown) || /^[\t\r]/.test(guarded)) throw new Error('starts a formula');
        if (/^[+-]/.test(shown)) expect(guarded).toMatch(/^[+\-0-9 ().]*$/);
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['＝1+1', "'＝1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=x', "'\t=x"],
    ['\n=1+1', "'\n=1+1"],
    ['\r\n \u00a0=1+1', "'\r\n \u00a0=1+1"],
    [' @SUM(A1)', "' @SUM(A1)"],
    ["'\n=1+1", "''\n=1+1"],
    ["\n'=1+1", "'\n'=1+1"],
    ['\n-5', "'\n-5"],
    [' -5', ' -5'],
    ['\nplain', '\nplain'],
    ["'=x", "''=x"],
    ["''=x", "'''=x"],
    ['+1 (555) 010-9999', '+1 (555) 010-9999'],
    ['-12.5', '-12.5'],
    ['-cmd', "'-cmd"],
    ["'tis", "'tis"],
    ['plain', 'plain'],
    ['', ''],
  ])('the guard turns %j into %j', (given, expected) => {
    expect(guardCell(given)).toBe(expected);
    expect(printLine({ delimiter: ',', formulaGuard: false }, [given, ''])).toContain(
      given.replaceAll('"', '""'),
    );
  });
});
