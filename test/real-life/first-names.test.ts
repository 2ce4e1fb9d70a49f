import { describe, expect, it } from 'vitest';
import { peopleFile, tryFile } from './try-file.ts';

const namesIn = async (header: string, rows: readonly string[]) => {
  const { stored, errors } = await tryFile(peopleFile(`E-Mail;${header}`, rows));
  expect(errors).toEqual([]);
  return stored.map(({ fields: { first_name, last_name, full_name } }) => [first_name, last_name, full_name]);
};

describe('a column "Name" beside last names', () => {
  it.each([
    'Name;Surname',
    'Name;Last Name',
    'Name;Family Name',
    'Name;Nachname',
    'Navn;Etternavn',
    'Naam;Achternaam',
  ])('is the first name: %s', async (header) => {
    expect(await namesIn(header, ['Amelia;Ashworth', 'Anna Maria;Bennett', 'Isla;de Carver'])).toEqual([
      ['Amelia', 'Ashworth', null],
      ['Anna Maria', 'Bennett', null],
      ['Isla', 'de Carver', null],
    ]);
  });

  it.each([
    ['Name;Surname', ['Amelia Ashworth;Ashworth', 'Carver, Isla;Carver']],
    ['Nachname;Name', ['de Carver;Isla de Carver', 'Ashworth;ASHWORTH Amelia']],
  ])('is the full name where it has the last name: %s %j', async (header, rows) => {
    const names = await namesIn(header, rows);
    expect(names.map(([first, last, full]) => [first, last !== null, full !== null])).toEqual([
      [null, true, true],
      [null, true, true],
    ]);
  });

  it('is the last name beside first names, and the full name beside both', async () => {
    expect(await namesIn('Vorname;Name', ['Amelia;Ashworth'])).toEqual([['Amelia', 'Ashworth', null]]);
    expect(await namesIn('Vorname;Nachname;Name', ['Amelia;Ashworth;Amelia Ashworth'])).toEqual([
      ['Amelia', 'Ashworth', 'Amelia Ashworth'],
    ]);
  });
});
