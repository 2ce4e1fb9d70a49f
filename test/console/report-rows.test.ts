import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvCells, csvRows } from '../../client/src/csv-rows.ts';
import { rateOf } from '../../console/src/screens/import/rate.ts';
import { cellOf } from '../../console/src/screens/import/record-cells.ts';
import { correctedCsv, rowsIn, withEdits } from '../../console/src/screens/import/report-rows.ts';
import { printLine, unguardCell } from '../../shared/csv/print-line.ts';

const style = { delimiter: ',', formulaGuard: true } as const;
const reasons = ['batch_job_uuid', 'row', 'line', 'field', 'column', 'code', 'message'];

/** A list of refused rows as the service writes it. */
const listOf = (rows: readonly (readonly string[])[]): string =>
  [
    ['A', 'B', ...reasons],
    ...rows.map((cells, at) => [...cells, 'batch', String(at + 1), '', 'f', 'A', 'c', 'm']),
  ]
    .map((cells) => `${printLine(style, cells)}\r\n`)
    .join('');

const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '"', ',', ';', '\n', ' ', 'a', '1', '@') }),
  fc.constantFrom('=1+1', "'=1+1", "''=1+1", '+49 30', "' =x", '"', 'a\r\nb', '  '),
);

describe('the refused rows in the console', () => {
  it('show the cells as the file has them, and send back what the reader wrote', () => {
    fc.assert(
      fc.property(cell, cell, cell, (one, other, written) => {
        const { header, rows } = rowsIn(listOf([[one, other]]));
        expect(header).toEqual(['A', 'B']);
        const [row] = rows;
        if (row === undefined) throw new Error('no row');
        expect(row.cells).toEqual([one, other]);
        const edits = withEdits(new Map(), [{ row, at: 0, text: written }]);
        const [sent] = rowsIn(correctedCsv({ header, rows }, edits)).rows;
        expect(sent?.cells).toEqual(written === one ? undefined : [written, other]);
      }),
    );
  });

  it('carry the mark that the service takes off, and no other', () => {
    fc.assert(
      fc.property(cell, (written) => {
        const { header, rows } = rowsIn(listOf([['old', '']]));
        const [row] = rows;
        if (row === undefined || written === 'old') return;
        const csv = correctedCsv({ header, rows }, withEdits(new Map(), [{ row, at: 0, text: written }]));
        const [, line = ''] = csvRows(csv);
        const [end] = csvCells(line, ',');
        expect(unguardCell(end ?? '')).toBe(written);
      }),
    );
  });

  it('lose an edit that is taken back', () => {
    const [row] = rowsIn(listOf([['a', 'b']])).rows;
    if (row === undefined) throw new Error('no row');
    const edits = withEdits(new Map(), [{ row, at: 0, text: 'x' }]);
    expect(withEdits(edits, [{ row, at: 0, text: 'a' }]).size).toBe(0);
  });
});

describe('numbers and cells of an import', () => {
  it('grow at a rate only once two samples are apart', () => {
    expect(rateOf([{ at: 0, done: 5 }])).toBeUndefined();
    expect(
      rateOf([
        { at: 0, done: 0 },
        { at: 2_000, done: 500 },
      ]),
    ).toBe(250);
  });

  it('show lists, consent and parts of an address', () => {
    const record = {
      tags: [{ datetime: 'x', tag: ['Jazz', 'Blues'] }],
      consent: [
        { channel: 'email', state: 'given' },
        { channel: 'sms', state: 'withdrawn' },
      ],
      address: { city: 'Bremen' },
      age: 7,
    };
    const targets = ['tags', 'consent.email', 'address.city', 'age', 'first_name'];
    expect(targets.map((target) => cellOf(record, target))).toEqual([
      'Jazz, Blues',
      'given',
      'Bremen',
      '7',
      '',
    ]);
  });
});
