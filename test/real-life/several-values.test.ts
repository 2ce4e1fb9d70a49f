import { describe, expect, it } from 'vitest';
import { compileTransformations } from '../../shared/imports/mapping/transformations.ts';
import { peopleFile, tryFile } from './try-file.ts';

const several = 'Several values in a cell of a field that has one.';
const quoted = (text: string): string => `"${text}"`;

describe('several values in a cell of one value', () => {
  it.each([
    ['semicolons', ['cilia@example.org; home@example.org', 'dag@example.org']],
    ['commas', ['cilia@example.org,home@example.org', 'dag@example.org']],
    ['line breaks', ['cilia@example.org\nhome@example.org', 'dag@example.org']],
    ['colons', ['cilia@example.org ::: home@example.org', 'dag@example.org']],
    ['spaces', ['cilia@example.org home@example.org', 'dag@example.org']],
    ['slashes', ['cilia@example.org / home@example.org / x@example.org', 'dag@example.org']],
    ['semicolons and commas', ['cilia@example.org; home@example.org', 'dag@example.org, x@example.org']],
  ])('is the first e-mail address: %s', async (_, cells) => {
    const { stored, doubts, errors } = await tryFile(
      `Email,First Name\n${cells.map((cell) => `${quoted(cell)},A`).join('\n')}\n`,
    );
    expect(errors).toEqual([]);
    expect(stored.map(({ fields }) => fields.email)).toEqual(['cilia@example.org', 'dag@example.org']);
    const cellsWithSeveral = cells.filter((cell) => cell.includes('@example.org', cell.indexOf('@') + 1));
    expect(doubts).toMatchObject([{ saw: several, cells: cellsWithSeveral.length }]);
  });

  it.each([
    [
      'colons',
      ['+44 20 7946 0123 ::: +44 20 7946 0124', '+44 20 7946 0125'],
      ['+442079460123', '+442079460125'],
    ],
    ['slashes', ['+44 20 7946 0123 / 0124', '+44 20 7946 0125'], ['+442079460123', '+442079460125']],
    [
      'semicolons',
      ['+44 20 7946 0123; +44 20 7946 0124', '+44 20 7946 0125'],
      ['+442079460123', '+442079460125'],
    ],
  ])('is the first telephone number: %s', async (_, cells, expected) => {
    const { stored, doubts, warnings } = await tryFile(peopleFile('Email,Phone', cells.map(quoted)));
    expect(stored.map(({ fields }) => fields.phone_number)).toEqual(expected);
    expect(doubts).toMatchObject([{ saw: several, cells: 1 }]);
    expect(warnings).toEqual([]);
  });

  it('is the first name or city of an address book', async () => {
    const { stored, doubts } = await tryFile(
      'Email,First Name,City\na@example.org,Ann ::: Anna,Hull ::: York\nb@example.org,Bo,Leeds\n',
    );
    expect(stored.map(({ fields }) => [fields.first_name, fields.city])).toEqual([
      ['Ann', 'Hull'],
      ['Bo', 'Leeds'],
    ]);
    expect(doubts.map(({ column, cells }) => [column, cells])).toEqual([
      ['First Name', 1],
      ['City', 1],
    ]);
  });
});

describe('one value that only looks like several', () => {
  it.each([
    ['Full name', 'Smith, John; Dr'],
    ['Street', 'Mill Lane 1, Flat 2; rear'],
    ['Note', 'a ::: b'],
  ])('stays whole: %s', async (header, text) => {
    const { inspected, doubts } = await tryFile(`Email,${header}\na@example.org,"${text}"\n`);
    expect(inspected.suggestion.definition?.mapping_fields.field_maps[1]).not.toHaveProperty(
      'transformations',
    );
    expect(doubts).toEqual([]);
  });

  it('stays whole: a telephone number with a spaced slash', async () => {
    const { stored } = await tryFile(
      'E-Mail,Telefon,Land\na@example.org,0171 / 3920001,DE\nb@example.org,030 901842,DE\n',
    );
    expect(stored[0]?.fields.phone_number).toBe('+491713920001');
  });
});

describe('the transformation first', () => {
  it.each([
    ['a; b; c', ';', 'a'],
    [' ; b', ';', 'b'],
    ['a', ';', 'a'],
    [';', ';', ''],
    ['a ::: b', ' ::: ', 'a'],
  ])('of %j at %j is %j', async (text, separator, expected) => {
    const first = await compileTransformations([{ name: 'first', separator }], 100);
    expect(first(text)).toBe(expected);
  });
});
