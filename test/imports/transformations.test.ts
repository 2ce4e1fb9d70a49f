import fc from 'fast-check';
import { getCountries } from 'libphonenumber-js/min';
import { describe, expect, it } from 'vitest';
import type { Transformed } from '../../shared/imports/mapping/cell-fault.ts';
import { phoneCountries } from '../../shared/imports/mapping/country-codes.ts';
import type { Transformation } from '../../shared/imports/mapping/transformation-schema.ts';
import { compileTransformations } from '../../shared/imports/mapping/transformations.ts';
import { casesOf } from '../support/scale.ts';

const transform = async (
  text: string,
  transformations: readonly Transformation[],
  most = 10_240,
): Promise<Transformed> => (await compileTransformations(transformations, most))(text);

describe('transformations', () => {
  it.each([
    [['strip'], ' \u200b\ufeff a b\u00a0\t', 'a b'],
    [['strip', 'lower'], ' ZOË@Example.ORG ', 'zoë@example.org'],
    [['lower'], 'BAR\u212a@X \u212b \u2126', 'bar\u212a@x \u212b \u2126'],
    [['title'], '\u212aELVIN', '\u212aelvin'],
    [['upper'], 'straße', 'STRASSE'],
    [['title'], "mary-jane O'NEILL von der leyen", "Mary-Jane O'Neill Von Der Leyen"],
    [['title'], "don't stop", "Don't Stop"],
    [['digits'], '+1 (512) 555-0100', '15125550100'],
    [['digits'], 'none', ''],
    [['strip', 'date'], '   ', ''],
    [['strip', 'number_de'], ' ', ''],
  ] as const)('%j of %j is %j', async (names, text, expected) => {
    const transformations = names.map((name) => ({ name }));
    expect(await transform(text, transformations)).toBe(expected);
  });
});

describe('any text', () => {
  it('is transformed or refused, and stays within the limit', async () => {
    const options: readonly Transformation[] = [
      ...(
        [
          'strip',
          'lower',
          'title',
          'digits',
          'date',
          'number_de',
          'number_en',
          'unescape_html',
          'mailbox',
        ] as const
      ).map((name) => ({
        name,
      })),
      { name: 'date_dmy', pivot: 30 },
      { name: 'date_mdy' },
      { name: 'map', values: { a: 'b' } },
      { name: 'default', value: 'x' },
      { name: 'replace', from: 'a', to: 'aaa' },
      { name: 'phone', country: 'IT' },
    ];
    const steps = await Promise.all(options.map((option) => compileTransformations([option], 300)));
    const near = fc.stringMatching(/^[-+0-9., :/'()a]{0,60}$/);
    fc.assert(
      fc.property(fc.oneof(near, fc.string({ unit: 'binary', maxLength: 60 })), (text) => {
        for (const step of steps) {
          const transformed = step(text);
          if (typeof transformed === 'string') expect(transformed.length).toBeLessThanOrEqual(300);
          else expect(transformed.predicate).not.toBe('');
        }
      }),
      { numRuns: casesOf('TRANSFORMATION_RUNS', { full: 1_000, sample: 200 }) },
    );
  });
});

describe('the transformation map', () => {
  const values = { ja: 'Yes', nein: 'No', '?': '' };

  it.each([
    ['ja', 'Yes'],
    ['nein', 'No'],
    ['?', ''],
  ])('turns %j into %j', async (text, expected) => {
    expect(await transform(text, [{ name: 'map', values, otherwise: 'refuse' }])).toBe(expected);
  });

  it.each([
    [undefined, 'Ja'],
    ['keep', 'Ja'],
    ['drop', ''],
    ['refuse', { code: 'unmapped_value', predicate: 'is not a value of the transformation map' }],
  ] as const)('with otherwise %j makes %j of a text without an entry', async (otherwise, expected) => {
    const map: Transformation = { name: 'map', values, ...(otherwise && { otherwise }) };
    expect(await transform('Ja', [map])).toEqual(expected);
  });

  it('knows no text that only the prototype of an object has', async () => {
    const map: Transformation = { name: 'map', values, otherwise: 'drop' };
    expect(await transform('toString', [map])).toBe('');
  });
});

describe('the transformation default', () => {
  it('fills an empty cell and keeps another text', async () => {
    const fill: Transformation = { name: 'default', value: 'box office' };
    expect(await transform('', [fill])).toBe('box office');
    expect(await transform('shop', [fill])).toBe('shop');
    expect(await transform(' ', [{ name: 'strip' }, fill, { name: 'upper' }])).toBe('BOX OFFICE');
  });
});

describe('the transformation replace', () => {
  it.each([
    ['1.250 €', ' €', '', '1.250'],
    ['a.b.c', '.', '$&', 'a$&b$&c'],
    ['aaa', 'aa', 'b', 'ba'],
    ['abc', 'x', 'y', 'abc'],
  ])('in %j of %j by %j makes %j', async (text, from, to, expected) => {
    expect(await transform(text, [{ name: 'replace', from, to }])).toBe(expected);
  });

  it('refuses a text that would grow beyond the limit', async () => {
    const grow: Transformation = { name: 'replace', from: 'a', to: 'a'.repeat(1_000) };
    expect(await transform('aa', [grow], 2_000)).toBe('a'.repeat(2_000));
    const text = 'a'.repeat(1_000_000);
    expect(await transform(text, [grow, grow, grow], text.length)).toMatchObject({ code: 'too_long' });
  });
});

describe('numbers', () => {
  it.each([
    ['1.234,50', '1234.5'],
    ['1234,5', '1234.5'],
    ['1.234', '1234'],
    ['1.234.567,001', '1234567.001'],
    ['1 234 567', '1234567'],
    ['1\u00a0234,5', '1234.5'],
    ['1\u202f234', '1234'],
    ["1'234,50", '1234.5'],
    ['1’234', '1234'],
    [' 42 ', '42'],
    ['42,0', '42'],
    ['007', '7'],
    ['0,50', '0.5'],
    [',5', '0.5'],
    ['+7', '7'],
    ['-7,5', '-7.5'],
    ['\u22127', '-7'],
    ['-0,0', '0'],
  ])('number_de reads %j as %j', async (text, expected) => {
    expect(await transform(text, [{ name: 'number_de' }])).toBe(expected);
  });

  it.each([
    ...['1.5', '1234.56', '1.23', '0.500', '1.2345', '1234.567', "1.234'567", '1 23', '1,234,567'],
    ...['1,7E+10', '1,', ',', '-', '€', '1,5 €€', 'ca. 50', '5 %', '--5', '1..234', '٣', '1,5,5'],
  ])('number_de refuses %j', async (text) => {
    expect(await transform(text, [{ name: 'number_de' }])).toEqual({
      code: 'not_a_number',
      predicate: 'is not a number like 1.234,56',
    });
  });

  it.each([
    ['1,234.50', '1234.5'],
    ['1,234,567', '1234567'],
    ['1234.5', '1234.5'],
    ["1'234.50", '1234.5'],
    ['.5', '0.5'],
  ])('number_en reads %j as %j', async (text, expected) => {
    expect(await transform(text, [{ name: 'number_en' }])).toBe(expected);
  });

  it.each(['1.234,50', '1,5', '12,34', '1.234.567'])('number_en refuses %j', async (text) => {
    expect(await transform(text, [{ name: 'number_en' }])).toMatchObject({ code: 'not_a_number' });
  });

  it.each([
    ['number_de', 'de-DE'],
    ['number_de', 'fr-FR'],
    ['number_en', 'en-US'],
    ['number_en', 'de-CH'],
  ] as const)('%s reads every number that %s writes', async (name, locale) => {
    const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 3, useGrouping: 'always' });
    const read = await compileTransformations([{ name }], 1_024);
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (thousandths) => {
        const number = thousandths / 1_000;
        expect(read(format.format(number))).toBe(String(number));
      }),
    );
  });

  it('take time in proportion to the length of the text', async () => {
    const zeros = '0'.repeat(1_000_000);
    expect(await transform(`1,${zeros}1${zeros}`, [{ name: 'number_de' }])).toBe(`1.${zeros}1`);
    expect(await transform(`1,${zeros}x`, [{ name: 'number_de' }])).toMatchObject({ code: 'not_a_number' });
    const groups = `1${'.234'.repeat(250_000)}`;
    expect(await transform(`${groups}x`, [{ name: 'number_de' }])).toMatchObject({ code: 'not_a_number' });
  });
});

describe('phone numbers', () => {
  it.each([
    ['030 123456', 'DE', '+4930123456'],
    ['(030) 12 34 56', 'DE', '+4930123456'],
    ['0171/123-4567', 'DE', '+491711234567'],
    ['+49 (0)30 123456', 'DE', '+4930123456'],
    ['0049 30 123456', 'DE', '+4930123456'],
    [' +49\u00a030 123456', 'FR', '+4930123456'],
    ['1711234567', 'DE', '+491711234567'],
    ['06 12 34 56 78', 'FR', '+33612345678'],
    ['391 234 5678', 'IT', '+393912345678'],
    ['1 512 555 0100', 'US', '+15125550100'],
  ] as const)('%j in %s becomes %j', async (text, country, expected) => {
    expect(await transform(text, [{ name: 'phone', country }])).toBe(expected);
  });

  it.each([
    ['1,7E+10', 'is a number with an exponent, of which digits may be lost'],
    ['unbekannt', 'has characters that belong to no phone number'],
    ['030 12', 'is not a phone number of DE and has no country code'],
    ['tel: 030 123456', 'has characters that belong to no phone number'],
    ['030 123456 ext. 5', 'has an extension, which E.164 cannot express'],
    ['49171 1234567', 'could begin with the country code 49: write +49 or the area code with its 0'],
  ])('%j %s', async (text, predicate) => {
    const fault = { code: 'not_a_phone_number', predicate };
    expect(await transform(text, [{ name: 'phone', country: 'DE' }])).toEqual(fault);
  });

  it('can be those of every country that the library knows', () => {
    expect(phoneCountries).toEqual(getCountries().toSorted());
  });
});

describe('dates', () => {
  it.each([
    ['2020-02-29', '2020-02-29'],
    ['2020/2/9', '2020-02-09'],
    ['2020.12.31', '2020-12-31'],
    ['20201231', '2020-12-31'],
    ['2020-12-31T23:59:59Z', '2020-12-31'],
    ['2020-12-31 23:59', '2020-12-31'],
    ['5 Jan 1990', '1990-01-05'],
    ['05-JANUARY-1990', '1990-01-05'],
    ['January 5, 1990', '1990-01-05'],
    ['January 5, 1990, 10:30 PM', '1990-01-05'],
    ['Sept 5 1990', '1990-09-05'],
  ])('date reads %j as %j', async (text, expected) => {
    expect(await transform(text, [{ name: 'date' }])).toBe(expected);
  });

  const noDay = 'is not a day of the calendar; expected year-month-day, or the month as a word';
  const noDate = 'is not a date; expected year-month-day, or the month as a word';
  const unclear = 'does not say which number is the day: use date_dmy or date_mdy';
  it.each([
    ['2021-02-30', noDay],
    ['2020-13-01', noDay],
    ['0000-01-01', noDay],
    ['2020-12/31', noDate],
    ['yesterday', noDate],
    ['1/1/99', noDate],
    ['03/04/2020', unclear],
    ['25/12/2020', unclear],
    ['12/25/2020', unclear],
    ['09.01.2025 19:30', unclear],
  ])('date: %j %s', async (text, predicate) => {
    expect(await transform(text, [{ name: 'date' }])).toEqual({ code: 'not_a_date', predicate });
  });

  it.each([
    [{ name: 'date_dmy' }, '03/04/2020', '2020-04-03'],
    [{ name: 'date_dmy' }, '25.12.2020', '2020-12-25'],
    [{ name: 'date_dmy' }, '1. 2. 2020', '2020-02-01'],
    [{ name: 'date_dmy' }, '2020-04-03', '2020-04-03'],
    [{ name: 'date_dmy' }, '09.01.2025 19:30', '2025-01-09'],
    [{ name: 'date_dmy' }, '09.01.2025, 19:30:15 Uhr', '2025-01-09'],
    [{ name: 'date_dmy', pivot: 30 }, '18.1.86', '1986-01-18'],
    [{ name: 'date_dmy', pivot: 30 }, '18.1.30', '2030-01-18'],
    [{ name: 'date_dmy', pivot: 30 }, '18.1.31 08:00', '1931-01-18'],
    [{ name: 'date_dmy', pivot: 30 }, '18.1.00', '2000-01-18'],
    [{ name: 'date_dmy', pivot: 30 }, '18.1.1930', '1930-01-18'],
    [{ name: 'date_mdy' }, '03/04/2020', '2020-03-04'],
    [{ name: 'date_mdy' }, '12-25-2020', '2020-12-25'],
    [{ name: 'date_mdy', pivot: 99 }, '12/25/99 7:00 PM', '2099-12-25'],
  ] as const)('%j reads %j as %j', async (transformation, text, expected) => {
    expect(await transform(text, [transformation])).toBe(expected);
  });

  const yearNeeded = 'has a year of two digits: write four digits, or set a pivot';
  it.each([
    [{ name: 'date_dmy' }, '12/25/2020', 'is not a day of the calendar; expected day.month.year'],
    [{ name: 'date_dmy' }, '31.02.1980', 'is not a day of the calendar; expected day.month.year'],
    [{ name: 'date_dmy', pivot: 30 }, '31.02.80', 'is not a day of the calendar; expected day.month.year'],
    [{ name: 'date_dmy' }, '18.1.86', yearNeeded],
    [{ name: 'date_mdy' }, '1/18/86 10:00', yearNeeded],
    [{ name: 'date_dmy' }, 'gestern', 'is not a date; expected day.month.year'],
    [{ name: 'date_dmy', pivot: 30 }, '18.1.186', 'is not a date; expected day.month.year'],
    [{ name: 'date_dmy' }, '3/4-2020', 'is not a date; expected day.month.year'],
    [{ name: 'date_mdy' }, '25/12/2020', 'is not a day of the calendar; expected month/day/year'],
  ] as const)('%j: %j %s', async (transformation, text, predicate) => {
    expect(await transform(text, [transformation])).toEqual({ code: 'not_a_date', predicate });
  });
});
