import { describe, expect, it } from 'vitest';
import { markReaders } from '../../shared/imports/mapping/read-marks.ts';
import { tryFile } from './try-file.ts';

const quotes = 'Quotes around whole cells, as of a file that was exported twice.';

/** A line of cells that an export quotes once more: each cell has quotes already. */
const twice = (...cells: readonly string[]): string =>
  `${cells.map((cell) => `"""${cell.replaceAll('"', '""""')}"""`).join(',')}\n`;

describe('quotes of a second export', () => {
  it('are taken off every cell, and are said', async () => {
    const { stored, doubts, warnings, errors } = await tryFile(
      [
        twice('customer_id', 'email', 'first_name', 'city', 'birthday', 'phone', 'seat'),
        twice('7', 'a@example.org', 'Amelia', 'Leeds', '24.12.1980', '+44 20 7946 0123', 'B, 4'),
        twice('8', 'b@example.org', 'Ida "Bo"', '', '25.12.1981', '+44 20 7946 0124', 'B, 5'),
      ].join(''),
    );
    expect(
      stored.map(({ fields, extra }) => [
        ...[fields.unique_id, fields.email, fields.first_name, fields.city],
        ...[fields.birthday, fields.phone_number, extra['seat']],
      ]),
    ).toEqual([
      ['7', 'a@example.org', 'Amelia', 'Leeds', '1980-12-24', '+442079460123', 'B, 4'],
      ['8', 'b@example.org', 'Ida "Bo"', null, '1981-12-25', '+442079460124', 'B, 5'],
    ]);
    expect(doubts.filter(({ saw }) => saw === quotes)).toHaveLength(7);
    expect(doubts[0]).toMatchObject({ does: 'The quotes are removed.', examples: ['"7"', '"8"'] });
    expect([...warnings, ...errors]).toEqual([]);
  });

  it('are taken off the cells that have them', async () => {
    const { stored, doubts } = await tryFile(
      'Email,First Name,City\na@example.org,"""Amelia""",Leeds\nb@example.org,Ben,"""Hull"""\nc@example.org,Cy,York\n',
    );
    expect(stored.map(({ fields }) => [fields.first_name, fields.city])).toEqual([
      ['Amelia', 'Leeds'],
      ['Ben', 'Hull'],
      ['Cy', 'York'],
    ]);
    expect(doubts.map(({ column, saw, cells }) => [column, saw, cells])).toEqual([
      ['First Name', quotes, 1],
      ['City', quotes, 1],
    ]);
  });

  it('are apostrophes around most cells', async () => {
    const { stored, doubts } = await tryFile(
      "Email;First Name;City\n'a@example.org';'Amelia';'Leeds'\n'b@example.org';'Ben';'Hull'\n",
    );
    expect(stored.map(({ fields }) => [fields.email, fields.first_name, fields.city])).toEqual([
      ['a@example.org', 'Amelia', 'Leeds'],
      ['b@example.org', 'Ben', 'Hull'],
    ]);
    expect(doubts.map(({ saw }) => saw)).toEqual([quotes, quotes, quotes]);
  });
});

describe('quotes of a text', () => {
  it('stay in it', async () => {
    const { stored, doubts } = await tryFile(
      [
        'Email,Full Name,Comment',
        'a@example.org,"Ida ""Bo"" Lund","""Lovely!"""',
        'b@example.org,"""Bo"" Lund of ""Hof""",came late',
        "c@example.org,'t Hooft,'Fine'",
        'd@example.org,Cy,as ever',
      ]
        .map((line) => `${line}\n`)
        .join(''),
    );
    expect(stored.map(({ fields, extra }) => [fields.full_name, extra['Comment']])).toEqual([
      ['Ida "Bo" Lund', '"Lovely!"'],
      ['"Bo" Lund of "Hof"', 'came late'],
      ["'t Hooft", "'Fine'"],
      ['Cy', 'as ever'],
    ]);
    expect(doubts.filter(({ saw }) => saw === quotes)).toHaveLength(0);
  });

  it('are those of a list in a column of tags', async () => {
    const { stored } = await tryFile(
      'Email,Tags\na@example.org,"""Jazz"",""Rock"""\nb@example.org,"""Folk"""\n',
    );
    expect(stored.map(({ tags }) => tags.map(({ tag }) => tag))).toEqual([['Jazz', 'Rock'], ['Folk']]);
  });
});

describe('the marks `quotes` of unguard', () => {
  it.each([
    ['"Amelia"', 'Amelia'],
    [' "Amelia" ', 'Amelia'],
    ['"Ida ""Bo"" Lund"', 'Ida "Bo" Lund'],
    ['""', ''],
    ['"', '"'],
    ["'Amelia'", 'Amelia'],
    ["'t Hooft", "'t Hooft"],
    ['Ida "Bo" Lund', 'Ida "Bo" Lund'],
    ['"Bo" and "Al"', '"Bo" and "Al"'],
  ])('make %j to %j', (text, expected) => {
    expect(markReaders.quotes(text)).toBe(expected);
  });
});
