import { describe, expect, it } from 'vitest';
import { printRow } from '../../shared/csv/print-line.ts';
import { parseRow } from '../../shared/csv/parse-row.ts';
import { readCorrectedCsv } from '../../shared/imports/retry/read-corrected-csv.ts';
import { inputColumns, reasonColumns } from '../../shared/imports/reports/report-columns.ts';

/** The list of a batch of records: one input column. */
const inputs = inputColumns(null);
const header = [...inputs, ...reasonColumns].join();
const row = (batch: string, number: string, record = '{}'): string =>
  [`"${record.replaceAll('"', '""')}"`, batch, number, ...reasonColumns.slice(2).map(() => 'x')].join();

const cellsOf = (line: string): readonly string[] => {
  const cells = parseRow(line, ',');
  return cells.ok ? cells.value : [];
};

/** The rows of a corrected list, or its faults. */
const read = (...lines: readonly string[]): unknown => {
  const rows = readCorrectedCsv(null, lines.join('\n'));
  return rows.ok ? rows.value : rows.error.map(({ pointer, code, detail }) => `${pointer} ${code} ${detail}`);
};

describe('a corrected list of refused rows', () => {
  it('says which rows come back, and on which lines they stand', () => {
    expect(read(header, row('b-1', '7', '{"email":"a"}'), '', row('b-2', '9000'))).toEqual([
      { at: 2, batch: 'b-1', row: 7, cells: ['{"email":"a"}'] },
      { at: 4, batch: 'b-2', row: 9000, cells: ['{}'] },
    ]);
  });

  it.each([
    ['no batch', row('', '1')],
    ['no row', row('b', '')],
    ['row 0', row('b', '0')],
    ['a row with a sign', row('b', '-1')],
    ['a row with a fraction', row('b', '1.5')],
    ['a row that is no number', row('b', 'x1')],
    ['a row of 17 digits', row('b', '12345678901234567')],
    ['cells missing', '{}'],
  ])('is refused for a line with %s', (_, line) => {
    expect(read(header, row('b', '1'), line)).toEqual([
      '/csv no_row The row on line 3 has no valid batch_job_uuid and row.',
    ]);
  });

  it('is refused for a line that is no CSV, or longer than the header', () => {
    expect(read(header, 'a"b,c')).toEqual(['/csv bad_csv The row on line 2 has a quote in the wrong place.']);
    expect(read(header, `${row('b', '1')},more`)).toEqual([
      '/csv too_many_cells The row on line 2 has more cells than the header.',
    ]);
  });

  it('is refused whole for each of its faults at once', () => {
    expect(read(header, row('', '1'), row('b', '1'), row('b', '0'))).toHaveLength(2);
  });

  it.each([
    ['semicolons', ';'],
    ['tabs', '\t'],
    ['pipes', '|'],
  ])('may be delimited by %s', (_, delimiter) => {
    const lines = [header, row('b-1', '7', '{"a":"x,y;z"}'), row('b-1', '8')].map((line) =>
      printRow(cellsOf(line), delimiter),
    );
    expect(read(...lines)).toEqual([
      { at: 2, batch: 'b-1', row: 7, cells: ['{"a":"x,y;z"}'] },
      { at: 3, batch: 'b-1', row: 8, cells: ['{}'] },
    ]);
  });

  it('begins with the header of the download', () => {
    const wrong = (more = ''): string[] => [
      '/csv wrong_header The first line must be the header of the downloaded list, ' +
        `delimited by comma, tab, pipe or semicolon.${more}`,
    ];
    expect(read('')).toEqual(wrong());
    expect(read(`${header},more`, row('b', '1'))).toEqual(wrong(' It has 8 columns; this line has 9.'));
    expect(read(header.replace('row', 'line'), row('b', '1'))).toEqual(wrong(' Column 3 must be "row".'));
    expect(read(header.replaceAll(',', ';').replace('code', ''))).toEqual(wrong(' Column 7 must be "code".'));
    expect(read(header)).toEqual(['/csv no_rows There is no row after the header.']);
    expect(read(`\ufeff${header}`, row('b', '1'))).toHaveLength(1);
  });
});

describe('a corrected list that a spreadsheet saved', () => {
  const rows = [{ at: 2, batch: 'b-1', row: 7, cells: ['{}'] }];
  const wanted = (at = 2) => rows.map((each) => ({ ...each, at }));
  const line = row('b-1', '7');

  it.each([
    ['a line that states the delimiter', ['sep=,', header, line], 3],
    ['such a line in quotes, with delimiters behind it', ['"sep=,",,,', header, line], 3],
    ['such a line of another delimiter', ['sep=;', header, line], 3],
    ['a blank column behind the last', [`${header},`, `${line},`], 2],
    ['blank columns in some rows', [header, `${line},,,`], 2],
    ['rows of delimiters', [header, ',,,,,,,', line, ' ,,,,,,,,,'], 3],
    ['several byte order marks', [`\ufeff\ufeff${header}`, `\ufeff${line}`], 2],
    ['blank lines before the header', ['', ',,', header, line], 4],
    ['padding at its end', [header, line, '\u001a'], 2],
  ])('may have %s', (_, lines, at) => {
    expect(read(...lines)).toEqual(wanted(at));
  });

  it('may end its lines with CR, also with line breaks in cells', () => {
    const csv = [header, row('b-1', '7', '{"a":\n1}')].join('\r');
    expect(readCorrectedCsv(null, csv)).toEqual({
      ok: true,
      value: [{ at: 2, batch: 'b-1', row: 7, cells: ['{"a":\n1}'] }],
    });
  });
});
