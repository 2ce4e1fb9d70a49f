/** Suggest numbers: amounts in a column, whatever its name, and whether commas or points are between thousands. */
import { amountOf, readEnglishNumber, readGermanNumber } from '../../mapping/read-numbers.ts';
import { doubtsAbout } from '../doubt.ts';
import { type Advice, type ColumnValues, dropped } from './advice.ts';

/** The share of values that must be numbers before a column counts as one of numbers. */
const MOST = 0.8;

/** A cell, and what the two spellings make of it; `undefined` for a spelling that cannot read it. */
interface Reading {
  readonly text: string;
  readonly german: string | undefined;
  readonly english: string | undefined;
  readonly currency: string | undefined;
}

const readingOf = (text: string): Reading => {
  const [german, english] = [readGermanNumber(text), readEnglishNumber(text)];
  return {
    text,
    german: typeof german === 'string' ? german : undefined,
    english: typeof english === 'string' ? english : undefined,
    currency: amountOf(text)?.currency,
  };
};

const isNumber = ({ german, english }: Reading): boolean => german !== undefined || english !== undefined;

/** Ids and telephone numbers: `00123`, `+49 30 901820`. */
const code = /^(?:0\d|\+[\d ()/-]+$)/u;

/** Numbers that need no transformation. Digits that only spaces divide are as often a telephone number or an id. */
const plain = /^-?\d+(?:\.\d+)?$|^\d+(?:[ \u00a0\u2009\u202f]\d+)+$/u;

/** Digits that marks divide twice or more. Amounts of a file are not all so large. */
const document = /^\d{1,3}([.,'])\d{3}(?:\1\d{3})+$/u;
const documentsSeen = 'Numbers of seven digits and more, which may be amounts or numbers of documents.';

/** Currencies of countries that write commas between thousands. */
const english: ReadonlySet<string> = new Set(
  '$ USD GBP JPY ¥ CNY CAD AUD NZD HKD INR KRW ILS THB'.split(' '),
);

/** Finds the spelling of the numbers in a column; `undefined` for a column that needs none. */
export const suggestNumbers = (column: ColumnValues): Advice | undefined => {
  const { name, values, language } = column;
  const readings = values.map(readingOf);
  const numbers = readings.filter(isNumber);
  if (numbers.length < values.length * MOST || values.some((value) => code.test(value.trim())))
    return undefined;
  const isPlain = numbers.every(({ text }) => plain.test(text.trim()));
  const currencies = [...new Set(numbers.flatMap(({ currency }) => currency ?? []))];
  if (currencies.length > 1) {
    const first = currencies.flatMap((one) => numbers.find(({ currency }) => currency === one) ?? []);
    return kept(name, first, numbers.length, `Amounts in several currencies (${currencies.join(', ')}).`);
  }
  if (currencies.length === 0 && numbers.every(({ text }) => document.test(text.trim())))
    return kept(name, numbers, numbers.length, documentsSeen);
  const evidence = evidenceOf(numbers, language, currencies[0]);
  if (evidence.isMixed) {
    const saw = 'Numbers with a decimal comma and numbers with a decimal point.';
    return kept(name, evidence.proofs, numbers.length, saw);
  }
  // Programs write decimal points in files of every language.
  const isGuess = isPlain && evidence.proofs.length === 0 && evidence.unclear.length > 0;
  if (evidence.isEnglish === undefined || isGuess)
    return kept(name, evidence.unclear, evidence.unclear.length, unclearSeen);
  if (isPlain && (evidence.isEnglish || evidence.unclear.length === 0)) return undefined;
  const { isEnglish, unclear, proofs } = evidence;
  const unread = readings.filter((one) => (isEnglish ? one.english : one.german) === undefined);
  const spelling = isEnglish
    ? 'The numbers have commas between thousands.'
    : 'The numbers have a decimal comma.';
  return {
    options: {
      transformations: [{ name: isEnglish ? 'number_en' : 'number_de' }],
      on_bad_value: 'drop_cell',
    },
    why: [
      proofs.length + unclear.length > 0 ? spelling : 'The cells are numbers.',
      ...currencies.map((currency) => `The currency (${currency}) is left out.`),
      dropped,
    ],
    doubts: [
      ...doubtsAbout(name, proofs.length > 0 ? [] : textsOf(unclear), {
        saw: unclearSeen,
        does: 'It divides thousands: the numbers become whole numbers.',
      }),
      ...doubtsAbout(name, textsOf(unread), {
        saw: 'Cells that are no numbers like the others.',
        does: 'They are dropped with a warning.',
      }),
    ],
  };
};

const unclearSeen = 'Numbers whose point or comma may divide thousands or decimals.';

interface Evidence {
  /** Numbers that only one spelling reads. */
  readonly proofs: readonly Reading[];
  /** Whether both spellings have such numbers. */
  readonly isMixed: boolean;
  /** Numbers that the spellings read differently, like `1.234`. */
  readonly unclear: readonly Reading[];
  /** Whether the numbers are English; `undefined` if nothing tells. */
  readonly isEnglish: boolean | undefined;
}

const evidenceOf = (
  numbers: readonly Reading[],
  language: string,
  currency: string | undefined,
): Evidence => {
  const onlyGerman = numbers.filter((one) => one.english === undefined);
  const onlyEnglish = numbers.filter((one) => one.german === undefined);
  const unclear = numbers.filter(
    (one) => one.german !== undefined && one.english !== undefined && one.german !== one.english,
  );
  const isMixed = onlyGerman.length > 0 && onlyEnglish.length > 0;
  const proofs = isMixed
    ? [...onlyGerman.slice(0, 1), ...onlyEnglish.slice(0, 1)]
    : [...onlyGerman, ...onlyEnglish];
  if (proofs.length > 0) return { proofs, isMixed, unclear, isEnglish: onlyEnglish.length > 0 };
  const likely = currency === undefined ? language === 'en' || language === 'ja' : english.has(currency);
  // Without proof, a point or comma counts as one of thousands only: few numbers have three decimals.
  const isWhole = (one: Reading): boolean => (likely ? one.english : one.german)?.includes('.') === false;
  return { proofs, isMixed, unclear, isEnglish: unclear.every(isWhole) ? likely : undefined };
};

const textsOf = (readings: readonly Reading[]): readonly string[] => readings.map(({ text }) => text);

/** Advice to keep the cells as they are, because no reading is sure. */
const kept = (name: string, examples: readonly Reading[], cells: number, saw: string): Advice => ({
  options: {},
  why: [saw],
  doubts: doubtsAbout(name, textsOf(examples), {
    saw,
    does: 'The cells stay as they are in the file. Choose number_de or number_en to read them as numbers.',
  }).map((doubt) => ({ ...doubt, cells })),
});
