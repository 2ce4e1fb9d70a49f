import fc from 'fast-check';
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { homeOf, nowhere, readPhone } from '../../shared/imports/mapping/read-phones.ts';
import { phonesOf, suggestedCountry } from './phones-in.ts';

const read = (text: string, country?: CountryCode) => readPhone(text, () => homeOf('', country));

describe('telephone numbers of neighbours', () => {
  it('are numbers of the country of their row', async () => {
    const { phones, messages } = await phonesOf('Vorname;Land;Telefon', [
      'Reto;Schweiz;041 228 11 01',
      'Urs;CH;061 267 11 02',
      'Eva;Suisse;022 327 11 03',
    ]);
    expect(phones).toEqual(['+41412281101', '+41612671102', '+41223271103']);
    expect(messages).toEqual([]);
  });

  it('are those of each row where countries differ, before and behind the number', async () => {
    const { phones } = await phonesOf('Telefon;Vorname;Land', [
      '0316 872 1234;Eva;Österreich',
      '0664 1234568;Max;A',
      '030 901840;Ada;Deutschland',
      '020 624 1111;Jan;Niederlande',
      '02 512 11 11;Luc;Belgique',
    ]);
    expect(phones).toEqual(['+433168721234', '+436641234568', '+4930901840', '+31206241111', '+3225121111']);
  });

  it('are dropped and said, never read with another country, where the country of the row does not fit', async () => {
    const { phones, messages } = await phonesOf('Vorname;Nachname;Postleitzahl;Land;Telefon', [
      'Ada;;;Schweiz;030 901840 77',
      'Bo;;;Atlantis;030 901841',
      'Cleo;Lovis;10115;Deutschland;030 901842',
      'Dan;;;;030 901843',
    ]);
    expect(phones).toEqual([null, null, '+4930901842', '+4930901843']);
    expect(messages.join(' ')).toContain('is not a phone number of CH');
    expect(messages.join(' ')).toContain('its row names no country that the service knows');
  });

  it('get no country if two fit equally', async () => {
    const { phones, doubts, messages } = await phonesOf('Vorname;Telefon', [
      'Reto;041 228 11 01',
      'Urs;061 267 11 02',
      'Eva;081 254 11 03',
    ]);
    expect(phones).toEqual([null, null, null]);
    expect(messages).toHaveLength(3);
    expect(doubts).toMatchObject([{ column: 'Telefon', cells: 3 }]);
    expect(doubts[0]?.saw).toContain('fit several countries equally: DE (3), CH (3)');
  });

  it('get the one country that reads most of them, and a doubt with examples', async () => {
    const { country, doubts } = await suggestedCountry('Vorname;Nachname;Wohnort;Telefon', [
      'Ada;Lovis;Ulm;030 901840',
      'Bo;Lovis;Ulm;0151 23456789',
      'Cleo;Lovis;Ulm;0221 4710123',
      'Dan;Lovis;Ulm;089 23300',
    ]);
    expect(country).toBe('DE');
    expect(doubts).toMatchObject([
      { column: 'Telefon', cells: 4, examples: ['030 901840', '0151 23456789', '0221 4710123'] },
    ]);
  });

  it.each([
    ['US', ['(201) 555-0142', '305-555-0143', '1-212-555-0144', '415.555.0145', '(312) 555-0146 x12']],
    ['FR', ['01 42 68 53 00', '06 12 34 56 70', '04.91.55.11.11', '05 56 10 20 30', '09 69 39 99 98']],
    ['GB', ['020 7946 0123', '0161 496 0123', '07700 900123', '0131 496 0123', '0117 496 0123']],
    ['ES', ['912 345 671', '612 345 672', '933 123 456', '722 111 333', '856 11 22 33']],
    ['AT', ['01 58858', '0664 1234568', '0316 872 2345', '0512 5360', '07243 55212']],
  ])('of %s are not taken for those of another country', async (expected, numbers) => {
    const { country } = await suggestedCountry(
      'First name,Phone'.replaceAll(',', ';'),
      numbers.map((number) => `Ann;${number}`),
    );
    expect([expected, null, undefined]).toContain(country);
    if (expected === 'US') expect(country).toBe('US');
  });
});

describe('a cell that is not one number', () => {
  it.each([
    ['First name;Phone', ['4930901830.0', '4930901831.0', '']],
    ['First name;Phone;Country', ['442079460161.0;GB', '2079460162.0;GB', ';GB']],
    ['Vorname;Telefon;Land', ['4930901863.0;Deutschland', '30901864.00;Deutschland', ';Deutschland']],
    ['Prénom;Téléphone;Pays', ['142685365.00;France', '+33142685366.0;France', ';France']],
    ['Vorname;Telefon;Land', ['+49 30 901830.00;Deutschland', '(030) 901831.0;Deutschland', ';Deutschland']],
  ])('has decimals, and is dropped and said: %s', async (header, cells) => {
    const { phones, messages, doubts } = await phonesOf(
      header,
      cells.map((cell) => `Ann;${cell}`),
    );
    expect(phones).toEqual([null, null, null]);
    expect(messages.map((message) => message.includes('is a decimal number'))).toEqual([true, true]);
    const examples = cells.slice(0, 2).map((cell) => cell.split(';')[0]);
    expect(doubts).toMatchObject([{ cells: 2, examples }]);
  });

  it('has a decimal comma: what stands before it is the number, or it is dropped, and it is said', async () => {
    const { phones, doubts, messages } = await phonesOf('Vorname;Telefon;Land', [
      'Ada;4930901863,0;Deutschland',
      'Bo;30901864,0;Deutschland',
      'Cleo;41446681805,0;Schweiz',
      'Dan;4314567890,00;Österreich',
    ]);
    expect(phones).toEqual(['+4930901863', null, '+41446681805', '+4314567890']);
    expect(doubts).toMatchObject([{ cells: 4 }, { cells: 1, examples: ['30901864'] }]);
    expect(messages).toHaveLength(1);
  });

  it('has two numbers: the first is stored, and the inspection says so', async () => {
    const { phones, doubts } = await phonesOf('Vorname;Nachname;Wohnort;Telefon', [
      'Ada;Lovis;Ulm;030 901850 / 901851',
      'Bo;;;0171 3920011 / 0171 3920012',
      'Cleo;;;"030 901852; 030 901853"',
      'Dan;;;030 901854 oder 0171 3920013',
      'Eva;;;"030 901855, 901856"',
      'Finn;;;030/901857',
    ]);
    const first = [
      '+4930901850',
      '+491713920011',
      '+4930901852',
      '+4930901854',
      '+4930901855',
      '+4930901857',
    ];
    expect(phones).toEqual(first);
    const said = doubts.filter(({ does }) => /first/iu.test(does));
    expect(said.map(({ cells }) => cells)).toEqual([4, 1]);
  });

  it.each([
    '030 901840 / -42',
    '030 901840/42',
    '030 901840-42',
    '01.02.1980',
    '1980-02-01',
    '01/02/80',
    '1 2 1980',
    'D-10115 030 901840',
    '10115 030 90184',
    '50667 901840',
    '030 901840 ext. 5',
    '030 901840 Durchwahl 5',
    '030 901840 x5',
    '0030 901840',
    '0000000',
    '999999999',
    '1234567',
    '0123456789',
    '+49 111111111',
    '0171 0000000',
    '901840',
    '4455667',
    '30901842',
    '436641234567',
    '4930901830.0',
    '+4930901830.0',
    '4930901830,0',
    '4.93E+09',
    '030 FLOWERS',
    'tel. 030 901840',
    '++49 30 901840',
    '+49+30 901840',
    '-4930901830',
    '(212) 555-0142',
    '-',
    '()',
    '+',
    '49 30 901840 49 30 901841',
    '030 901840 030 901841',
    '12',
    '',
  ])('%j is refused for DE', (text) => {
    expect(read(text, 'DE')).toMatchObject({ code: 'not_a_phone_number' });
  });

  it.each([
    ['21.12.1980', 'DK', 'is a date'],
    ['22-11-1980', 'NO', 'is a date'],
    ['26.12.34', 'LU', 'is a date'],
    ['030 12345 030 12346', 'DE', 'could be several numbers'],
    ['089 123456 089 1234', 'DE', 'could be several numbers'],
    ['01 58858 01 58859', 'AT', 'could be several numbers'],
  ] as const)(
    '%j in %s is no number, although its plan has room for the digits',
    (text, country, predicate) => {
      expect(read(text, country)).toEqual({ code: 'not_a_phone_number', predicate });
    },
  );

  it.each([
    ['030//901842', 'DE', '+4930901842'],
    ['0049 30 901840', 'DE', '+4930901840'],
    ['+49 (0)30 901840', 'DE', '+4930901840'],
    ['030 90184-0', 'DE', '+4930901840'],
    ['０３０－９０１８４０', 'DE', '+4930901840'],
    ['\u202a+49 30 901820\u202c', undefined, '+4930901820'],
    ["'+442079460127", undefined, '+442079460127'],
    ['+39 (0)6 12345678', undefined, '+390612345678'],
    ['011 49 30 901840', 'US', '+4930901840'],
    ['0176 04069012', 'DE', '+4917604069012'],
    ['+44 20 7946 0123 ::: +44 20 7946 0124', undefined, '+442079460123'],
    ['33 12 34 50', 'DK', '+4533123450'],
    ['011 15-2345-6789', 'AR', '+5491123456789'],
  ] as const)('%j in %s is %s', (text, country, expected) => {
    expect(read(text, country)).toBe(expected);
  });
});

describe('any number', () => {
  const country = fc.constantFrom(...getCountries());
  const subscriber = fc.stringMatching(/^[1-9]\d{5,10}$/);
  const number = fc
    .tuple(country, subscriber)
    .map(([at, digits]) =>
      parsePhoneNumberFromString(`+${getCountryCallingCode(at)}${digits}`, { extract: false }),
    )
    .filter((found) => found?.isValid() === true && found.country !== undefined);
  const spelling = fc.constantFrom('+', '00', 'national', 'spaced');

  it('is read right in each spelling with the country of its row, or not at all', () => {
    fc.assert(
      fc.property(number, spelling, (found, form) => {
        if (!found?.country) return;
        const { country: own, number: expected } = found;
        const text = {
          '+': found.formatInternational(),
          '00': found.formatInternational().replace('+', '00'),
          national: found.formatNational(),
          spaced: found.formatNational().replaceAll(/[()-]/gu, ' '),
        }[form];
        const result = read(text, own);
        expect(typeof result === 'string' ? result : expected).toBe(expected);
        if (form === '+' && typeof result === 'string') expect(readPhone(text, () => nowhere)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('has only digits of the text, in its order, and at most a country code in front', () => {
    const piece = fc.constantFrom(
      '030',
      '0171',
      '901840',
      '42',
      '+49',
      '0049',
      '1',
      '555',
      '0142',
      '12.5',
      ' ',
      '/',
      '-',
      '(',
      ')',
      '.',
      ' oder ',
      ';',
      'x',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 8 }),
        fc.constantFrom<CountryCode>('DE', 'US', 'CH', 'AT'),
        (pieces, at) => {
          const text = pieces.join('');
          const result = read(text, at);
          if (typeof result !== 'string') return;
          const digits = text.replaceAll(/\D/gu, '');
          const code = getCountryCallingCode(at);
          const own = result.startsWith(`+${code}`) ? result.slice(code.length + 1) : result.slice(1);
          // The `0` between a country code and an area code may be left out.
          const hasZero = ['49', '41', '43'].some(
            (abroad) => result.startsWith(`+${abroad}`) && digits.includes(`${abroad}0${result.slice(3)}`),
          );
          const found = digits.includes(own) || digits.includes(result.slice(1)) || hasZero;
          expect([text, result, found]).toEqual([text, result, true]);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
