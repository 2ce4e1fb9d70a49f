/** Transformations: compiles the transformations of a field map to a function of the text of a cell. */
import { visibleText } from '../../runtime/visible-text.ts';
import { limits } from '../../config/limits.ts';
import { workBudget, type WorkBudget } from '../../runtime/work-budget.ts';
import type { Transformed } from './cell-fault.ts';
import { readDate, readDayFirst, readMonthFirst, readYearFirst } from './read-dates.ts';
import { listReader } from './read-lists.ts';
import { readMailbox } from './read-mailboxes.ts';
import { markReaders } from './read-marks.ts';
import { readEnglishNumber, readGermanNumber } from './read-numbers.ts';
import type { Transformation } from './transformation-schema.ts';

/** A row whose cells are transformed, and the work that it may still cost. */
export interface RowInWork {
  readonly cells: readonly string[];
  readonly work: WorkBudget;
}

/** A row with the work that it may cost. */
export const rowInWork = (cells: readonly string[]): RowInWork => {
  const { least, each } = limits.work.row;
  return { cells, work: workBudget(least + each * cells.reduce((sum, { length }) => sum + length, 0)) };
};

/**
 * Transforms the text of a cell, in time proportional to its length. A text without a row is a row by itself. `too_long`,
 * as of all further texts of the row, if the work of the row is used up.
 */
export type Transform = (text: string, row?: RowInWork) => Transformed;

/** The country that a row names, as it is written there; an empty text for none. */
export type RowCountry = (row: RowInWork) => string;

/** The first letter of a run of letters, with the sign before it and prefixes such as O' or L'. */
const firstLetter = /(^|\P{L})((?:\p{L}['’])*)(\p{L})/gu;

/**
 * Unit signs, which stay unchanged. Lower-casing turns U+212A into `k`, which could be the email address of another
 * person.
 */
const unitSigns = /[\u2126\u212a\u212b]/;
const others = /[^\u2126\u212a\u212b]+/g;
const lower = (text: string): string =>
  unitSigns.test(text) ? text.replace(others, (run) => run.toLowerCase()) : text.toLowerCase();

/** Capitalises words: at the start, after white space, after a hyphen, and after prefixes of one letter. */
const title = (text: string): string =>
  lower(text).replace(firstLetter, (run: string, before: string, prefixes: string, letter: string) => {
    const isStart = before === '' || /[\s-]/.test(before);
    if (isStart) return run.toUpperCase();
    const [first = ''] = prefixes;
    return (
      before +
      first +
      prefixes.slice(first.length).toUpperCase() +
      (first === '' ? letter : letter.toUpperCase())
    );
  });

/**
 * Compiles transformations, which run in order. An empty text stays empty, except that `default` fills it. No text grows
 * beyond `most` characters by `replace`. A phone number without a country code is one of the country that
 * `rowCountry` tells. Phone numbers, countries and the names of HTML are loaded only if they are needed.
 */
export const compileTransformations = async (
  transformations: readonly Transformation[],
  most: number,
  rowCountry: RowCountry = () => '',
): Promise<Transform> => {
  const steps: Step[] = [];
  for (const each of transformations) {
    const fillsEmpty = each.name === 'default';
    steps.push({ run: await compile(each, most, rowCountry), fillsEmpty });
  }
  return (text, row = rowInWork([text])) => {
    let current = text;
    for (const { run, fillsEmpty } of steps) {
      if (current === '' && !fillsEmpty) continue;
      if (!row.work.take(current.length + limits.work.row.step)) return tooMuchWork;
      const next = run(current, row);
      if (typeof next !== 'string') return next;
      current = next;
    }
    return current;
  };
};

interface Step {
  readonly run: (text: string, row: RowInWork) => Transformed;
  readonly fillsEmpty: boolean;
}

/** The fault of a row whose definition makes too much of it. */
export const tooMuchWork = {
  code: 'too_long',
  predicate: 'belongs to a row of which the definition makes too much text',
} as const;

/** Whether transformations can fill an empty cell. */
export const fillEmpty = (transformations: readonly Transformation[]): boolean =>
  transformations.some(({ name }) => name === 'default');

const compile = async (
  transformation: Transformation,
  most: number,
  rowCountry: RowCountry,
): Promise<Step['run']> => {
  switch (transformation.name) {
    case 'strip':
      return visibleText;
    case 'lower':
      return lower;
    case 'upper':
      return (text) => text.toUpperCase();
    case 'title':
      return title;
    case 'digits':
      return (text) => text.replace(/\D/g, '');
    case 'date':
      return (text) => readDate(text, transformation);
    case 'date_dmy':
      return (text) => readDayFirst(text, transformation);
    case 'date_mdy':
      return (text) => readMonthFirst(text, transformation);
    case 'date_ymd':
      return (text) => readYearFirst(text, transformation);
    case 'number_de':
      return readGermanNumber;
    case 'number_en':
      return readEnglishNumber;
    case 'country':
      return (await import('./read-countries.ts')).readCountryCode;
    case 'unescape_html':
      return (await import('./read-references.ts')).decodeReferences;
    case 'mailbox':
      return readMailbox;
    case 'default':
      return (text) => (text === '' ? transformation.value : text);
    case 'map':
      return mapping(transformation);
    case 'replace':
      return replacement(transformation, most);
    case 'list':
      return listReader(transformation.separator ?? ';');
    case 'first':
      return (text) => firstOf(text, transformation.separator);
    case 'unguard':
      return markReaders[transformation.marks ?? 'numbers'];
    case 'phone': {
      const { homeOf, readPhone } = await import('./read-phones.ts');
      const { country } = transformation;
      return (text, row) => {
        if (!row.work.take(limits.work.row.phone)) return tooMuchWork;
        return readPhone(text, () =>
          homeOf(row.work.take(limits.work.row.phone) ? rowCountry(row) : '', country),
        );
      };
    }
  }
};

const mapping = ({ values, otherwise = 'keep' }: Extract<Transformation, { name: 'map' }>): Transform => {
  const known = new Map(Object.entries(values));
  return (text) => {
    const value = known.get(text);
    if (value !== undefined) return value;
    if (otherwise === 'refuse')
      return { code: 'unmapped_value', predicate: 'is not a value of the transformation map' };
    if (text === '' || otherwise === 'drop') return '';
    return otherwise === 'keep' ? text : otherwise.value;
  };
};

/** Counts the occurrences first, so that a text that grows too long is never made. */
const replacement = ({ from, to }: Extract<Transformation, { name: 'replace' }>, most: number): Transform => {
  const growth = to.length - from.length;
  return (text) =>
    growth > 0 && text.length + occurrences(text, from) * growth > most
      ? { code: 'too_long', predicate: `has over ${most} characters after the transformation replace` }
      : text.replaceAll(from, () => to);
};

/** The first value that is not empty. It splits no more of the text than it needs. */
const firstOf = (text: string, separator: string): string => {
  let start = 0;
  for (let end = text.indexOf(separator); end !== -1; end = text.indexOf(separator, start)) {
    const value = text.slice(start, end).trim();
    if (value !== '') return value;
    start = end + separator.length;
  }
  return text.slice(start).trim();
};

const occurrences = (text: string, part: string): number => {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
};
