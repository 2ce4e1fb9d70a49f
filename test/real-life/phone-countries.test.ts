import { describe, expect, it } from 'vitest';
import { phonesOf, suggestedCountry } from './phones-in.ts';

/** Mobile numbers that several countries read, of which Germany does not read all. */
const shared = [
  '0731 440 101',
  '0732 441 207',
  '0728 442 313',
  '0749 443 419',
  '0735 444 525',
  '0736 445 631',
];

describe('a country', () => {
  it('never wins by the words of a header if another one reads more', async () => {
    const german = 'Vorname;Nachname;Wohnort;Telefon';
    const rows = shared.map((number) => `Ann;Lovis;Ulm;${number}`);
    const { country, doubts, why } = await suggestedCountry(german, rows);
    expect(country).toBeUndefined();
    expect(doubts).toMatchObject([{ column: 'Telefon', cells: 6 }]);
    expect(doubts[0]?.does).toContain('Drops these cells with a warning.');
    expect(doubts[0]?.saw).toContain('fit several countries equally: ');
    expect(doubts[0]?.saw).not.toContain('DE');
    expect(why).toContain('None of 6 cells has a country code.');
  });

  it.each([
    ['Telefon', ''],
    ['Client;Telefon', 'Ann;'],
    ['Telefon;Sex;Adresse', ''],
    ['Vorname;Nachname;Telefon', 'Ann;Lovis;'],
  ])('is not shown by a header of words of many languages, or few: %s', async (header, before) => {
    const numbers = ['06-1-420-1101', '06-30-310-2207', '06-20-320-3313', '06-70-330-4419'];
    const { country, doubts } = await suggestedCountry(
      header,
      numbers.map((number) => before + number),
    );
    expect(country).toBeUndefined();
    expect(doubts.some(({ saw }) => saw.includes('HU (4)'))).toBe(true);
  });

  it('is that of most e-mail addresses, if it reads as many numbers as any other', async () => {
    const numbers = shared.map((number) => `Ann;${number}`);
    const { country, doubts } = await suggestedCountry('Client;Telefon', numbers, 'example.ro');
    expect(country).toBe('RO');
    expect(doubts[0]?.saw).toContain('Countries that read most of them: RO (6), ');
    const german = await suggestedCountry('Client;Telefon', numbers, 'example.de');
    expect(german.country).toBeUndefined();
  });

  it('is none where the header and the addresses are of different countries', async () => {
    const numbers = ['030 901840', '0151 23456789', '0221 4710123', '089 23300'];
    const rows = numbers.map((number) => `Ann;Lovis;Ulm;${number}`);
    const { country } = await suggestedCountry('Vorname;Nachname;Wohnort;Telefon', rows, 'example.nl');
    expect(country).toBeUndefined();
  });
});

describe('a column of countries of another name', () => {
  const numbers = ['07700 900123', '07911 123456', '020 7946 0123', '0161 496 0123'];

  it('is said where numbers have no country code', async () => {
    const rows = numbers.map((number) => `Ann;${number};United Kingdom`);
    const { country, doubts } = await suggestedCountry('First name;Phone;Delegation', rows);
    const hint =
      'The column "Delegation" seems to hold the countries of the rows: map it to country if it does.';
    expect(doubts.find(({ column }) => column === 'Phone')?.does).toContain(hint);
    expect(country).not.toBe('DE');
  });

  it.each([
    ['Language', ['de', 'fr', 'de', 'it']],
    ['Kind', ['F', 'N', 'F', 'N']],
    ['Answer', ['no', 'no', 'no', 'no']],
  ])('is none with other short words: %s %j', async (header, cells) => {
    const rows = numbers.map((number, index) => `Ann;${number};${cells[index] ?? ''}`);
    const { doubts } = await suggestedCountry(`First name;Phone;${header}`, rows);
    expect(doubts.map(({ does }) => does).join(' ')).not.toContain('seems to hold');
  });

  it.each([
    ['CC', ['gb', 'ie', 'GB']],
    ['Země domů', ['Spojené království', 'Irsko', 'Spojené království']],
  ])('has the country of each row if its name says so: %s', async (header, cells) => {
    const { phones } = await phonesOf(`First name;${header};Phone`, [
      `Ann;${cells[0] ?? ''};07911 123456`,
      `Bob;${cells[1] ?? ''};086 234 0123`,
      `Cy;${cells[2] ?? ''};020 7946 0123`,
    ]);
    expect(phones).toEqual(['+447911123456', '+353862340123', '+442079460123']);
  });
});
