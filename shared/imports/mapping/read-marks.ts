/** Marks: removes what other systems write in front of cells so that spreadsheets take them for text, and quotes. */
import { isGuarded, unguardCell } from '../../csv/print-line.ts';

/** `="00501"` and `=("00501")`: a formula whose result is a text. */
const textFormula = /^=(?:"((?:[^"]|"")*)"|\("((?:[^"]|"")*)"\))$/u;

/** A number, a date or a telephone number behind an apostrophe. */
const markedNumber = /^'[+-]?[\d(][\d ().,/:+-]*$/u;

/** Whether a text has the mark of a number, of a formula or of text that a formula holds. */
export const hasMark = (text: string): boolean => {
  const first = text.charAt(0);
  return first === '='
    ? textFormula.test(text)
    : first === "'" && (markedNumber.test(text) || isGuarded(text));
};

/** Whether a text begins with an apostrophe that closes no pair. */
export const hasApostrophe = (text: string): boolean =>
  text.length > 1 && text.startsWith("'") && !text.endsWith("'");

/** A text within one pair of double quotes, in which further ones are doubled, or within one pair of apostrophes. */
const whole = /^\s*(?:"((?:[^"]|"")*)"|'([^']*)')\s*$/u;

/** The text within the quotes of a text that has them at both ends; `undefined` for any other text. */
export const textInQuotes = (text: string): string | undefined => {
  const [, double, single] = whole.exec(text) ?? [];
  return double?.replaceAll('""', '"') ?? single;
};

const unmarked = (text: string): string => {
  const [, bare, inBrackets] = textFormula.exec(text) ?? [];
  const content = bare ?? inBrackets;
  return content === undefined ? text.slice(1) : content.replaceAll('""', '"');
};

/** The readers of marks: those of numbers and formulas, those of any text, the guard of exports, and quotes. */
export const markReaders = {
  numbers: (text: string): string => (hasMark(text) ? unmarked(text) : text),
  all: (text: string): string => (hasMark(text) || hasApostrophe(text) ? unmarked(text) : text),
  formulas: unguardCell,
  quotes: (text: string): string => textInQuotes(text) ?? text,
} as const;
