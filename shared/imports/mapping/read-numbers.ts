/** Numbers: reads the spellings of numbers and amounts in files, for the transformations `number_de` and `number_en`. */
import type { Transformed } from './cell-fault.ts';

/** Separators of thousands in every spelling: space, no-break, thin and narrow no-break space, and apostrophes. */
const groups = " \u00a0\u2009\u202f'’";

/**
 * A number with a decimal separator and, in groups of three digits, one separator of thousands. A group before a
 * separator never begins with 0, so `0.500` is no number of thousands. `lakhs` are the groups of India, `1,00,000`.
 */
const pattern = (decimal: string, thousands: string, lakhs = ''): RegExp =>
  new RegExp(
    `^([+\\-\u2212]?)(\\d+|${lakhs}[1-9]\\d{0,2}([${thousands}${groups}])\\d{3}(?:\\3\\d{3})*|)(?:${decimal}(\\d+))?$`,
    'u',
  );
const german = pattern(',', '.');
const english = pattern('\\.', ',', '[1-9]\\d?(?:,\\d{2})+,\\d{3}|');

const read = (text: string, numbers: RegExp, example: string): Transformed => {
  const plain = numbers.exec(text.trim());
  if (plain) return numberOf(plain, isMinus(plain[1])) ?? fault(example);
  const amount = amountOf(text);
  const parts = amount && numbers.exec(amount.digits);
  return (parts && numberOf(parts, amount.isNegative)) ?? fault(example);
};

const fault = (example: string): Transformed => ({
  code: 'not_a_number',
  predicate: `is not a number like ${example}`,
});

const isMinus = (sign: string | undefined): boolean => sign === '-' || sign === '\u2212';

/** The canonical form of a number; `undefined` for a text without a digit. */
const numberOf = (parts: RegExpExecArray, isNegative: boolean): string | undefined => {
  const [, , whole = '', , fraction = ''] = parts;
  if (whole === '' && fraction === '') return undefined;
  const digits = whole.replace(/\D/gu, '').replace(/^0+(?=\d)/u, '');
  const decimals = withoutZeros(fraction);
  const number = `${digits === '' ? '0' : digits}${decimals === '' ? '' : `.${decimals}`}`;
  return isNegative && number !== '0' ? `-${number}` : number;
};

/** Removes the zeros at the end in linear time, which a regular expression does not. */
const withoutZeros = (fraction: string): string => {
  let end = fraction.length;
  while (end > 0 && fraction.charAt(end - 1) === '0') end -= 1;
  return fraction.slice(0, end);
};

/**
 * Reads a number with a decimal comma, like `1.234,50`, and returns it in its canonical form, like `1234.5`. Groups of
 * thousands must have three digits, so a text with another reading is a fault. A currency at either end is left out.
 */
export const readGermanNumber = (text: string): Transformed => read(text, german, '1.234,56');

/** Like `readGermanNumber`, for a number with a decimal point, like `1,234.50`. */
export const readEnglishNumber = (text: string): Transformed => read(text, english, '1,234.56');

/** A number in a cell without what stands around it. */
export interface Amount {
  readonly isNegative: boolean;
  /** One name for all spellings of a currency, such as `EUR`; `undefined` for a number without a currency. */
  readonly currency: string | undefined;
  /** The digits with their separators. */
  readonly digits: string;
}

/** The spellings of currencies. A sign of several currencies, such as `$`, is a name of its own. */
const spellings: Readonly<Record<string, string>> = {
  EUR: '€ euro euros',
  USD: 'us$',
  GBP: '£',
  CHF: 'fr. sfr. sfr',
  BRL: 'r$',
  CAD: 'c$ ca$',
  AUD: 'a$ au$',
  NZD: 'nz$',
  HKD: 'hk$',
  PLN: 'zł zl',
  CZK: 'kč kc',
  HUF: 'ft',
  RON: 'lei',
  INR: '₹',
  RUB: '₽ руб. руб',
  TRY: '₺',
  UAH: '₴',
  ILS: '₪',
  KRW: '₩ 원',
  VND: '₫',
  JPY: '円',
  CNY: '元',
  THB: '฿',
  $: '$',
  '¥': '¥',
  kr: 'kr kr.',
};
const codes =
  'AED ARS ATS AUD BGN BRL CAD CHF CLP CNY COP CZK DEM DKK EUR FRF GBP HKD HUF IDR ILS INR ISK ITL JPY KRW MXN MYR NOK NZD PEN PHP PLN RON RSD RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR';

const currencies: ReadonlyMap<string, string> = new Map([
  ...codes.split(' ').map((code) => [code.toLowerCase(), code] as const),
  ...Object.entries(spellings).flatMap(([name, texts]) =>
    texts.split(' ').map((text) => [text, name] as const),
  ),
]);
const LONGEST = Math.max(...[...currencies.keys()].map(({ length }) => length));

/** The longest spelling of a currency at one end of a text. */
const currencyAt = (text: string, part: (length: number) => string): string | undefined => {
  for (let length = Math.min(LONGEST, text.length); length > 0; length -= 1) {
    const found = part(length).toLowerCase();
    if (currencies.has(found)) return found;
  }
  return undefined;
};

const negative: ReadonlySet<string> = new Set(['-', '\u2212', '\u2013']);
const wholeAmount = /[.,](?:--?|[\u2013\u2014])$/u;
const fullWidth = /[\uff00-\uffef]/u;

/**
 * Takes one currency and one sign off a text: `-$5`, `$-5`, `5- EUR`, `(5)` and `5,- €`. Amounts in brackets are negative,
 * as in accounts. `undefined` if the rest is no digits with separators.
 */
export const amountOf = (text: string): Amount | undefined => {
  let rest = (fullWidth.test(text) ? text.normalize('NFKC') : text).trim();
  let isNegative: boolean | undefined;
  let currency: string | undefined;
  for (let before = ''; before !== rest;) {
    before = rest;
    if (isNegative === undefined) {
      const last = rest.charAt(rest.length - 1);
      const isSigned = rest.startsWith('+') || negative.has(rest.charAt(0));
      if (wholeAmount.test(rest)) rest = rest.replace(wholeAmount, '');
      else if (isSigned) [isNegative, rest] = [!rest.startsWith('+'), rest.slice(1)];
      else if (negative.has(last)) [isNegative, rest] = [true, rest.slice(0, -1)];
      else if (rest.startsWith('(') && last === ')') [isNegative, rest] = [true, rest.slice(1, -1)];
      rest = rest.trim();
    }
    if (currency === undefined) {
      const whole = rest;
      const first = currencyAt(whole, (length) => whole.slice(0, length));
      const last = first === undefined ? currencyAt(whole, (length) => whole.slice(-length)) : undefined;
      currency = first ?? last;
      if (first !== undefined) rest = rest.slice(first.length).trim();
      if (last !== undefined) rest = rest.slice(0, -last.length).trim();
    }
  }
  const isNumber = /^[\d.,]/u.test(rest);
  const name = currency === undefined ? undefined : currencies.get(currency);
  return isNumber ? { isNegative: isNegative === true, currency: name, digits: rest } : undefined;
};
