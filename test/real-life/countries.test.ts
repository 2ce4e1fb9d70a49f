import { describe, expect, it } from 'vitest';
import { otherNames } from '../../shared/imports/mapping/country-names.ts';
import { countryKey, languages, namesIn, readCountry } from '../../shared/imports/mapping/read-countries.ts';
import { codePairs, countryCodes } from '../../shared/imports/mapping/country-codes.ts';
import { inspectFile, peopleFile, tryFile } from './try-file.ts';
import { fieldMap, mappingOf } from '../support/field-map.ts';

const countriesOf = async (name: string, cells: readonly string[]) => {
  const rows = cells.map((cell) => `"${cell}"`);
  const { stored, ...rest } = await tryFile(peopleFile(`E-Mail;${name}`, rows));
  return { ...rest, countries: stored.map(({ country }) => country) };
};

describe('the code NA', () => {
  const saw = '"NA" is the code of Namibia, and stands in many files for nothing.';

  it.each([
    ['Country', ['USA', 'NA', 'USA', 'US'], ['US', null, 'US', 'US']],
    ['Land', ['Deutschland', 'Österreich', 'D', 'na', ' NA'], ['DE', 'AT', 'DE', null, null]],
  ])('is no country among others, and is said: %s %j', async (name, cells, expected) => {
    const { countries, doubts, warnings } = await countriesOf(name, cells);
    expect(countries).toEqual(expected);
    expect(warnings).toEqual([]);
    const count = expected.filter((one) => one === null).length;
    expect(doubts).toMatchObject([{ saw, cells: count, does: 'Counts these cells as empty.' }]);
  });

  it('is Namibia in a file of people there, and is said', async () => {
    const { countries, doubts } = await countriesOf('Country', ['NA', 'NA', 'ZA', 'NA']);
    expect(countries).toEqual(['NA', 'NA', 'ZA', 'NA']);
    expect(doubts).toMatchObject([{ saw, cells: 3, does: 'Stores NA, for Namibia.' }]);
  });
});

describe('a country in several spellings', () => {
  it('is one country, by name, code and language', async () => {
    const { countries, warnings, inspected } = await countriesOf('Land', [
      'Deutschland',
      'DE',
      'D',
      'Germany',
      'DEU',
      'BRD',
      'allemagne',
      'Niemcy',
      'Germany (DE)',
    ]);
    expect(countries).toEqual(Array.from({ length: 9 }, () => 'DE'));
    expect(warnings).toEqual([]);
    expect(inspected.suggestion.columns[1]?.why[1]).toContain('9 of 9 cells are countries');
    expect(inspected.suggestion.doubts).toEqual([]);
  });

  it('is known in other alphabets, and with accents, marks and dots left out or added', async () => {
    const { countries } = await countriesOf('Country', [
      '日本',
      'Россия',
      'Osterreich',
      'OESTERREICH',
      'U.S.A.',
      'England',
      'Czech Republic',
      'The Netherlands',
      'Ｓｐａｉｎ',
      'Schweiz\u00ad\u200b',
      'Côte d’Ivoire',
    ]);
    expect(countries).toEqual(['JP', 'RU', 'AT', 'AT', 'US', 'GB', 'CZ', 'NL', 'ES', 'CH', 'CI']);
  });

  it('is dropped with a warning and a doubt if it is none that the service knows', async () => {
    const { countries, warnings, doubts } = await countriesOf('Pays', [
      'France',
      'Suisse',
      'Atlantide',
      'Korea',
      'BE',
    ]);
    expect(countries).toEqual(['FR', 'CH', null, null, 'BE']);
    expect(warnings.map(({ code }) => code)).toEqual(['dropped_cell', 'dropped_cell']);
    expect(warnings[0]?.message).toContain('"Atlantide" is not a country that the service knows');
    expect(doubts).toMatchObject([{ column: 'Pays', cells: 2, examples: ['Atlantide', 'Korea'] }]);
  });

  it('is not looked for in a column of other words', async () => {
    const { inspected } = await countriesOf('Land', ['Bayern', 'Hessen', 'Sachsen', 'D']);
    const maps = inspected.suggestion.definition?.mapping_fields.field_maps ?? [];
    expect(JSON.stringify(maps)).not.toContain('"name":"country"');
  });

  it('refuses the row where the definition says so', async () => {
    const { errors } = await tryFile('email,country\nann@example.org,Atlantis\n', {
      change: mappingOf([
        'email',
        fieldMap('address.country', 'country', { transformations: [{ name: 'country' }] }),
      ]),
    });
    expect(errors).toMatchObject([{ code: 'not_a_country' }]);
    expect(errors[0]?.message).toContain('"Atlantis" is not a country');
  });
});

describe('the names of countries', () => {
  it('mean one country in all languages, or none', () => {
    const codes = new Map<string, string>();
    const clashes: string[] = [];
    for (const [key, code] of languages.flatMap(namesIn)) {
      if ((codes.get(key) ?? code) !== code) clashes.push(key);
      codes.set(key, code);
      if (readCountry(key) !== code) clashes.push(key);
    }
    expect([...new Set(clashes)]).toEqual(['kongo']);
  });

  it('include all codes of ISO 3166-1 and all other spellings', () => {
    expect(codePairs.map(([, three]) => readCountry(three))).toEqual(countryCodes);
    expect(countryCodes.map(readCountry)).toEqual(countryCodes);
    for (const [code, names] of Object.entries(otherNames))
      for (const name of names.split(';')) expect([name, readCountry(name)]).toEqual([name, code]);
  });

  it.each([
    '',
    '-',
    'n/a',
    'n.a.',
    'k. A.',
    '?',
    'Berlin',
    'Jazz',
    'D-A-CH',
    'Korea',
    '12345',
    'x'.repeat(500),
  ])('do not include %j', (text) => {
    expect(readCountry(text)).toBeUndefined();
  });

  it('keep what short texts say: ČR is not CR', () => {
    expect(['ČR', 'CR', 'SK', 'FL', 'MA', 'No'].map(readCountry)).toEqual([
      'CZ',
      'CR',
      'SK',
      'LI',
      'MA',
      'NO',
    ]);
    expect(countryKey('ČR')).toBe('čr');
  });
});

it('the inspection suggests the transformation for codes, too', async () => {
  const { suggestion } = await inspectFile('email,country\nann@example.org,DE\nbob@example.org,AT\n');
  expect(suggestion.definition?.mapping_fields.field_maps[1]).toMatchObject({
    target_field: 'country',
    transformations: [{ name: 'country' }],
    on_bad_value: 'drop_cell',
  });
});
