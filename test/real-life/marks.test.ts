import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guardCell } from '../../shared/csv/print-line.ts';
import { markReaders } from '../../shared/imports/mapping/read-marks.ts';
import { tryFile } from './try-file.ts';

const marks = 'Apostrophes or formulas that mark cells as text for spreadsheets.';

describe('marks for spreadsheets', () => {
  it('are taken off ids, postcodes and telephone numbers, and are said', async () => {
    const { stored, doubts, warnings } = await tryFile(
      [
        'Customer ID,First Name,Email,Zip,Phone',
        "'6940095564,Elma,elma@example.org,'04101,'+442079460127",
        "'6940095565,Floyd,floyd@example.org,'02139,'+442079460128",
      ]
        .map((line) => `${line}\n`)
        .join(''),
    );
    expect(stored.map(({ fields }) => [fields.unique_id, fields.zipcode, fields.phone_number])).toEqual([
      ['6940095564', '04101', '+442079460127'],
      ['6940095565', '02139', '+442079460128'],
    ]);
    expect(doubts.map(({ column, saw, cells }) => [column, saw, cells])).toEqual(
      ['Customer ID', 'Zip', 'Phone'].map((column) => [column, marks, 2]),
    );
    expect(warnings).toEqual([]);
  });

  it('are formulas whose result is a text', async () => {
    const cell = (text: string): string => `"=""${text}"""`;
    const { stored, doubts } = await tryFile(
      `Email,Zip,City\na@example.org,${cell('00501')},"=(""Bonn"")"\nb@example.org,${cell('00502')},Köln\n`,
    );
    expect(stored.map(({ fields }) => [fields.zipcode, fields.city])).toEqual([
      ['00501', 'Bonn'],
      ['00502', 'Köln'],
    ]);
    expect(doubts.map(({ saw }) => saw)).toEqual([marks, marks]);
  });

  it('are apostrophes before any text, if nearly all cells have one', async () => {
    const { stored } = await tryFile(
      "Email,First Name,City\na@example.org,'Ann,'Bonn\nb@example.org,'Bo,'Köln\n",
    );
    expect(stored.map(({ fields }) => [fields.first_name, fields.city])).toEqual([
      ['Ann', 'Bonn'],
      ['Bo', 'Köln'],
    ]);
  });

  it('stand before dates and numbers that are read without them', async () => {
    const { stored } = await tryFile(
      "E-Mail;Geburtsdatum;Umsatz\na@example.org;'24.12.1980;'1.234,50\nb@example.org;'25.12.1981;'99,90\n",
    );
    expect(stored.map(({ fields, extra }) => [fields.birthday, extra['Umsatz']])).toEqual([
      ['1980-12-24', '1234.5'],
      ['1981-12-25', '99.9'],
    ]);
  });

  it('are no apostrophes of names', async () => {
    const { stored, doubts } = await tryFile(
      "Email,Last Name,City,Tags\na@example.org,'t Hooft,'s-Gravenhage,'90s music\nb@example.org,Bos,Delft,Jazz\n",
    );
    expect(stored.map(({ fields, tags }) => [fields.last_name, fields.city, tags[0]?.tag])).toEqual([
      ["'t Hooft", "'s-Gravenhage", "'90s music"],
      ['Bos', 'Delft', 'Jazz'],
    ]);
    expect(doubts).toEqual([]);
  });
});

describe('the transformation unguard', () => {
  const { numbers, all, formulas } = markReaders;

  it.each([
    ["'04101", '04101'],
    ["'+49 30 1", '+49 30 1'],
    ["'=1+1", '=1+1'],
    ["''=1", "'=1"],
    ["'2020-01-02", '2020-01-02'],
    ['="say ""no"""', 'say "no"'],
    ["'Ann", "'Ann"],
    ["'90s", "'90s"],
    ['=1+1', '=1+1'],
    ['="a"&"b"', '="a"&"b"'],
    ["'", "'"],
  ])('makes %j of %j', (text, expected) => {
    expect(numbers(text)).toBe(expected);
  });

  it('of all marks takes off any apostrophe but one of a pair', () => {
    expect(["'Ann", "'Ann'", "'04101", 'Ann', "'"].map(all)).toEqual(['Ann', "'Ann'", '04101', 'Ann', "'"]);
  });

  it('of formulas undoes the guard of every text', () => {
    const sign = fc.constantFrom("'", '"', '=', '+', '-', '@', ' ', '0', 'a', '(');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(sign, { maxLength: 6 }).map((signs) => signs.join('')),
        ),
        (text) => {
          expect(formulas(guardCell(text))).toBe(text);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
