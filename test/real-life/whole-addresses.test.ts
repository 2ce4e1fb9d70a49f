import { describe, expect, it } from 'vitest';
import { tryFile } from './try-file.ts';

const whole = 'Whole addresses in one cell: they have several lines, a postal code or a country.';

const cell = (text: string): string => `"${text}"`;

const fileOf = (header: string, ...cells: readonly string[]): string =>
  [header, ...cells.map((text, index) => `p${index}@example.org,${text}`)]
    .map((line) => `${line}\n`)
    .join('');

describe('a whole address in one cell', () => {
  it.each([
    [
      'in parts',
      'address',
      '35 Main St, Dayton, OH, 45402, United States',
      '7 Elm St, Troy, OH, 45373, United States',
    ],
    [
      'in lines',
      'Street',
      '2 Mill Lane\nYork\nYO1 1AB\nUnited Kingdom',
      '9 High St\nHull\nHU1 2AA\nUnited Kingdom',
    ],
    ['with a postal code', 'Adresse', 'Hauptstr. 5, 10115 Berlin', 'Am Ring 7, 24103 Kiel'],
    ['with a country', 'Address', '4 Quay, Cork, Ireland', '5 Quay, Galway, Ireland'],
    ['of Canada', 'Address', '1 Rideau St, Ottawa ON K1A 0B1', '2 Rideau St, Ottawa ON K1A 0B2'],
  ])('is said, and stays the street: %s', async (_, name, ...cells) => {
    const { doubts, stored } = await tryFile(fileOf(`Email,${name}`, ...cells.map(cell)));
    expect(doubts).toMatchObject([{ column: name, saw: whole, cells: 2 }]);
    expect(doubts[0]?.does).toContain('no city, no postal code and no country is known of these people');
    expect(stored.map(({ fields }) => [fields.street, fields.city])).toEqual(
      cells.map((text) => [text, null]),
    );
  });

  it('leaves out what another column has', async () => {
    const { doubts } = await tryFile(
      fileOf('Email,Country,Address', `DE,${cell('Ring 7, 24103 Kiel')}`, `DE,${cell('Ring 8, 24103 Kiel')}`),
    );
    expect(doubts[0]?.does).toContain('no city and no postal code is known');
  });

  it.each([
    ['the file has its city', 'Email,City,Address', `Kiel,${cell('Ring 7, 24103 Kiel')}`],
    ['the file has its postal code', 'Email,Zip,Address', `24103,${cell('Ring 7, 24103 Kiel')}`],
    ['it is a street', 'Email,Address', cell('12345 Mill Lane, Flat 3')],
    ['it is a street with a number of an office', 'Email,Address', cell('35 Main St, Suite 4500')],
    ['it is a street in two lines', 'Email,Address', cell('Mill House\n2 Mill Lane')],
    ['it is a street with a floor', 'Email,Address', cell('Calle Mayor 5, 3º B')],
  ])('is none, or needs no doubt, where %s', async (_, header, row) => {
    const { doubts } = await tryFile(fileOf(header, row, row, row));
    expect(doubts.filter(({ saw }) => saw === whole)).toEqual([]);
  });

  it('is no matter of the column where few cells have one', async () => {
    const { doubts } = await tryFile(fileOf('Email,Address', 'Ring 7', 'Ring 8', cell('Ring 9, 24103 Kiel')));
    expect(doubts).toEqual([]);
  });
});
