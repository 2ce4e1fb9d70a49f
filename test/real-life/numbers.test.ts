import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEnglishNumber, readGermanNumber } from '../../shared/imports/mapping/read-numbers.ts';
import { casesOf } from '../support/scale.ts';
import { peopleFile, tryFile } from './try-file.ts';

/** What an import makes of the cells of a column of amounts. */
const tryColumn = async (name: string, cells: readonly string[], { email = 'Email' } = {}) => {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const { stored, doubts, errors } = await tryFile(peopleFile(`${email},${name}`, cells.map(quoted)));
  expect(errors).toEqual([]);
  return { values: stored.map(({ extra }) => extra[name] ?? null), doubts };
};
const saw = (doubts: readonly { readonly saw: string }[]) => doubts.map((doubt) => doubt.saw);

describe('amounts', () => {
  it.each([
    ['Umsatz', ['1.234,50-', '12,00', '99,90'], ['-1234.5', '12', '99.9']],
    ['Preis', ['3,10 €', '1.000,00 €', '€ 12,50'], ['3.1', '1000', '12.5']],
    ['Betrag', ['1.000,00 EUR', 'EUR 5,00', '- 7,25 EUR', '5,00- EUR'], ['1000', '5', '-7.25', '-5']],
    ['Total spent', ['$1,234.56', '-$5', '$-5.10', '($7.00)'], ['1234.56', '-5', '-5.1', '-7']],
    ['Balance', ['(1,234.50)', '12.00', '99.90'], ['-1234.5', '12', '99.9']],
    ['Saldo', ["CHF 1'234.50", "CHF 12'000.00", 'CHF 9.-'], ['1234.5', '12000', '9']],
    ['Kwota', ['1 234,50 zł', '12,00 zł'], ['1234.5', '12']],
    ['Belopp', ['1\u00a0234,50 kr', '12,00 kr', '100,-'], ['1234.5', '12', '100']],
    ['Útrata', ['1 234,50 Kč', '12,00 Kč'], ['1234.5', '12']],
    ['Valor', ['R$ 1.234,50', 'R$ 12,00'], ['1234.5', '12']],
    ['Spend', ['₹1,00,000.00', '₹50,000.00'], ['100000', '50000']],
  ])('in a column %s are numbers: %j', async (name, cells, expected) => {
    const { values, doubts } = await tryColumn(name, cells);
    expect(values).toEqual(expected);
    expect(doubts).toEqual([]);
  });

  it.each([
    ['Cédula', ['1.042.422.876', '1.060.529.174', '98.765.432']],
    ['Konto', ["1'234'567", "7'654'321"]],
  ])('that may be numbers of documents stay as they are, and are said: %s', async (name, cells) => {
    const { values, doubts } = await tryColumn(name, cells);
    expect(values).toEqual(cells);
    expect(saw(doubts)).toEqual([
      'Numbers of seven digits and more, which may be amounts or numbers of documents.',
    ]);
  });

  it('of millions are numbers among smaller ones, and with a currency', async () => {
    const smaller = await tryColumn('Umsatz', ['1.042.422', '12.500,50', '900']);
    expect(smaller.values).toEqual(['1042422', '12500.5', '900']);
    const { values, doubts } = await tryColumn('Umsatz', ['1.042.422 €', '7.654.321 €']);
    expect({ values, doubts }).toEqual({ values: ['1042422', '7654321'], doubts: [] });
  });

  it('that may be thousands or decimals are said', async () => {
    const english = await tryColumn('Amount', ['1,234', '2,500', '750']);
    expect(english.values).toEqual(['1234', '2500', '750']);
    expect(english.doubts).toMatchObject([{ column: 'Amount', cells: 2, examples: ['1,234', '2,500'] }]);
  });

  it.each([
    ['an English header', 'Email', ['1.234', '2.500', '12.750']],
    ['a German header', 'E-Mail-Adresse', ['1.234', '2.500', '999']],
    ['a German header and commas', 'E-Mail-Adresse', ['1,234', '2,500', '9']],
  ])('that nothing explains stay as they are, and are said: %s', async (_, email, cells) => {
    const { values, doubts } = await tryColumn('X1', cells, { email });
    expect(values).toEqual(cells);
    expect(saw(doubts)).toEqual(['Numbers whose point or comma may divide thousands or decimals.']);
  });

  it.each([
    ['several currencies', ['10,00 €', '12,50 CHF', '9,99 €'], 'Amounts in several currencies (EUR, CHF).'],
    [
      'several spellings',
      ['1.234,50', '1,234.50', '5.00'],
      'Numbers with a decimal comma and numbers with a decimal point.',
    ],
  ])('in %s stay as they are, and are said', async (_, cells, sentence) => {
    const { values, doubts } = await tryColumn('Amount', cells);
    expect(values).toEqual(cells);
    expect(saw(doubts)).toEqual([sentence]);
  });

  it('beside other words are numbers; the words are dropped and said', async () => {
    const cells = ['1.234,50 €', '2,00 €', '3,00 €', '4,00 €', '5,00 €', 'auf Anfrage'];
    const { values, doubts } = await tryColumn('Preis', cells);
    expect(values).toEqual(['1234.5', '2', '3', '4', '5', null]);
    expect(doubts).toMatchObject([{ cells: 1, examples: ['auf Anfrage'] }]);
  });

  it.each([
    ['percent', ['5 %', '7,5 %']],
    ['units', ['5 kg', '7,5 kg']],
    ['ids', ['00123', '00124']],
    ['longer ids', ['0012345678', '0012345679']],
    ['groups of digits', ['612 345 678', '612 345 679']],
    ['plain numbers', ['12.50', '3', '1.234']],
    ['ranges', ['5-10', '10-20']],
  ])('are not: %s', async (_, cells) => {
    const { values, doubts } = await tryColumn('X1', cells);
    expect(values).toEqual(cells);
    expect(doubts).toEqual([]);
  });
});

describe('telephone numbers in a column of any name', () => {
  it('are no amounts', async () => {
    const file = 'Email,X1\np0@example.org,+49 30 901820\np1@example.org,+49 30 901821\n';
    const { stored } = await tryFile(file);
    expect(stored.map(({ fields }) => fields.phone_number)).toEqual(['+4930901820', '+4930901821']);
  });
});

describe('a reader of amounts', () => {
  const spellings = [
    ['de', readGermanNumber, 'de-DE'],
    ['en', readEnglishNumber, 'en-US'],
  ] as const;
  const around = [
    ...[(text: string) => `${text} €`, (text: string) => `€${text}`, (text: string) => `EUR ${text}`],
    ...[(text: string) => `${text}\u00a0CHF`, (text: string) => `$ ${text}`, (text: string) => `${text}kr`],
  ] as const;
  const negatives = [
    (text: string) => `-${text}`,
    (text: string) => `${text}-`,
    (text: string) => `(${text})`,
    (text: string) => `\u2212 ${text}`,
  ] as const;

  it.each(spellings)('reads what it printed: %s', (_, read, locale) => {
    const format = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, useGrouping: 'always' });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e11 }),
        fc.constantFrom(...around),
        fc.option(fc.constantFrom(...negatives)),
        fc.boolean(),
        (cents, withCurrency, negative, isOutside) => {
          const plain = format.format(cents / 100);
          const signed = (text: string): string => negative?.(text) ?? text;
          const text = isOutside ? signed(withCurrency(plain)) : withCurrency(signed(plain));
          expect(read(text)).toBe(String((negative ? -cents : cents) / 100));
        },
      ),
      { numRuns: casesOf('NUMBER_RUNS', { full: 5_000, sample: 500 }) },
    );
  });

  it.each([
    ...[
      '5 %',
      '5 kg',
      'ca. 50',
      '5 € 3',
      '€5€',
      '--5',
      '-5-',
      '(-5)',
      '5+',
      '1 €/m',
      'EUR',
      '€',
      '()',
      '5 EUR CHF',
    ],
    ...['12:30', '1/2', '5 x', '$', '-', '1.2.3', '1,2,3', '10-20', '1e5', '5 USDT', 'A5', '5 EURO5'],
  ])('refuses %j', (text) => {
    for (const [, read] of spellings) expect(read(text)).toMatchObject({ code: 'not_a_number' });
  });
});
