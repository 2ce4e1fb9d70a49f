/** Suggest values: the options of a field map that the values of a column call for, each with its reason. */
import { limits } from '../../config/limits.ts';
import { readUtcTime, readYesOrNo } from '../../profiles/text-rules.ts';
import { consentWord } from '../mapping/consent-cells.ts';
import type { FieldMap } from '../mapping/field-map.ts';
import { parseTarget } from '../mapping/field-targets.ts';
import { phoneCountries } from '../mapping/phone-countries.ts';
import type { Transformation } from '../mapping/transformation-schema.ts';
import { compileTransformations } from '../mapping/transformations.ts';
import {
  countryOf,
  givenWords,
  type Language,
  languages,
  nameKey,
  noWords,
  withdrawnWords,
  yesWords,
} from './column-names.ts';

/** Options of a field map, and a sentence for each that says why. */
export interface Advice {
  readonly options: Pick<FieldMap, 'transformations' | 'split' | 'on_bad_value'>;
  readonly why: readonly string[];
}

/** Values of a column that are not empty, and what they mean. */
export interface ColumnValues {
  readonly values: readonly string[];
  readonly target: string;
  readonly language: Language;
  /** The present year. Two-digit years up to it are of the 2000s. */
  readonly year: number;
}

const none: Advice = { options: {}, why: [] };

/** The share of values that a transformation must read before it is suggested for a column of unknown name. */
const MOST = 0.8;

/** Finds the options for a column. */
export const suggestValues = async (column: ColumnValues): Promise<Advice> => {
  const { target, values } = column;
  if (values.length === 0) return none;
  if (target === 'birthday') return suggestDate(column);
  if (target === 'phone_number') return suggestPhone(column);
  if (target === 'tags' || target === 'source') return suggestSplit(column);
  if (target === 'age') return { options: { on_bad_value: 'drop_cell' }, why: [dropped] };
  if (target === 'has_children')
    return suggestWords(column, { options: { on_bad_value: 'drop_cell' }, why: [dropped] });
  if (isConsentTime(target)) return suggestTime(column);
  if (target.startsWith('consent.')) return suggestConsent(column);
  if (!target.startsWith('extra_data.')) return suggestStrip(values);
  return suggestOther(column);
};

const dropped = 'A bad cell is dropped with a warning, and its row is imported.';

const suggestStrip = (values: readonly string[]): Advice =>
  values.some((value) => value.trim() !== value)
    ? { options: { transformations: [{ name: 'strip' }] }, why: ['Some cells have spaces at their ends.'] }
    : none;

const germanNumber = /^-?(?:\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d+)$/;
const englishNumber = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const anyDate = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:[ T].*)?$/;

/** Numbers, dates and words for yes and no in a column of unknown name. */
const suggestOther = async (column: ColumnValues): Promise<Advice> => {
  const { values, language } = column;
  const isMost = (form: RegExp): boolean =>
    values.filter((value) => form.test(value.trim())).length / values.length >= MOST;
  const hasCommas = values.some((value) => value.includes(','));
  if (hasCommas && isMost(englishNumber) && (language === 'en' || !isMost(germanNumber))) {
    return {
      options: { transformations: [{ name: 'number_en' }] },
      why: ['The numbers have commas between thousands.'],
    };
  }
  if (hasCommas && isMost(germanNumber)) {
    return {
      options: { transformations: [{ name: 'number_de' }] },
      why: ['The numbers have a decimal comma.'],
    };
  }
  if (isMost(anyDate)) return suggestDate(column);
  const words = suggestWords(column, none);
  return words === none ? suggestStrip(values) : words;
};

const dates: readonly (readonly [Transformation['name'] & ('date' | 'date_dmy' | 'date_mdy'), string])[] = [
  ['date', 'year-month-day, or with the name of the month'],
  ['date_dmy', 'day.month.year'],
  ['date_mdy', 'month/day/year'],
];

/** The form of dates that reads most values. Day and month in doubt follow the language of the header. */
const suggestDate = async ({ values, language, year }: ColumnValues): Promise<Advice> => {
  const pivot = year % 100;
  const forms = await Promise.all(
    dates.flatMap(([name, form]) =>
      (name === 'date' ? [{ name }] : [{ name }, { name, pivot }]).map(async (step) => {
        const transformation: Transformation = step;
        return { transformation, form, read: await readBy(values, [transformation]) };
      }),
    ),
  );
  const isAmerican = language === 'en' && values.some((value) => value.includes('/'));
  const preferred = isAmerican ? 'date_mdy' : 'date_dmy';
  const most = Math.max(...forms.map(({ read }) => read));
  if (most === 0) return none;
  const best = forms.filter(({ read }) => read === most);
  const chosen =
    best.find(({ transformation: { name } }) => name === 'date') ??
    best.find(({ transformation: { name } }) => name === preferred) ??
    best[0];
  if (!chosen) return none;
  const { transformation } = chosen;
  const inDoubt = transformation.name !== 'date' && new Set(best.map((each) => each.form)).size > 1;
  const why = [
    `${most} of ${values.length} cells are dates of the form ${chosen.form}.`,
    ...('pivot' in transformation ? [`Two-digit years up to ${pivot} are of the 2000s.`] : []),
    ...(inDoubt ? ['Day and month may be the other way round: please check.'] : []),
    dropped,
  ];
  return { options: { transformations: [transformation], on_bad_value: 'drop_cell' }, why };
};

/** The country with which most numbers are read. */
const suggestPhone = async ({ values, language }: ColumnValues): Promise<Advice> => {
  const codes: readonly string[] = [countryOf[language], ...languages.map((each) => countryOf[each]), 'US'];
  const candidates = phoneCountries.filter((country) => codes.includes(country));
  const read = await Promise.all(
    candidates.map(async (country) => ({
      country,
      count: await readBy(values, [{ name: 'phone', country }]),
      isOwn: country === countryOf[language],
    })),
  );
  const [best] = read.toSorted((a, b) => b.count - a.count || Number(b.isOwn) - Number(a.isOwn));
  if (!best || best.count === 0) return none;
  return {
    options: { transformations: [{ name: 'phone', country: best.country }], on_bad_value: 'drop_cell' },
    why: [
      `${best.count} of ${values.length} cells are telephone numbers. Numbers without a country code count as numbers of ${best.country}.`,
      dropped,
    ],
  };
};

const separators = [';', '|', ',', '/'] as const;

/** The separator that most cells contain, if it is not the default. */
const suggestSplit = ({ values, target }: ColumnValues): Advice => {
  const counted = separators.map((separator) => ({
    separator,
    count: values.filter((value) => value.includes(separator)).length,
  }));
  const [best] = counted.toSorted((a, b) => b.count - a.count);
  const usual = target === 'source' ? ',' : ';';
  if (!best || best.count === 0 || best.separator === usual) return none;
  return {
    options: { split: best.separator },
    why: [`${best.count} of ${values.length} cells contain "${best.separator}" between values.`],
  };
};

const keysOf = (words: string): readonly string[] => words.split(',').map(nameKey);
const yes: ReadonlySet<string> = new Set(keysOf(yesWords));
const no: ReadonlySet<string> = new Set(keysOf(noWords));

/** More or longer words are no words for yes and no. */
const MOST_WORDS = 20;
const WORD_CHARACTERS = 20;

/** Words for yes and no in other languages, if all values are such words. */
const suggestWords = ({ values }: ColumnValues, otherwise: Advice): Advice => {
  const words = [...new Set(values)];
  const keys = words.map(nameKey);
  if (words.length > MOST_WORDS || words.some((word) => word.length > WORD_CHARACTERS)) return otherwise;
  const isText = keys.some((key) => /\p{L}/u.test(key) && key !== 'x');
  if (!isText || !keys.every((key) => yes.has(key) || no.has(key))) return otherwise;
  if (words.every((word) => readYesOrNo(word) !== undefined)) return otherwise;
  const map = Object.fromEntries(words.map((word) => [word, yes.has(nameKey(word)) ? 'Yes' : 'No']));
  return {
    options: { ...otherwise.options, transformations: [{ name: 'map', values: map }] },
    why: ['The cells are words for yes and no.', ...otherwise.why],
  };
};

const given: ReadonlySet<string> = new Set([...yes, ...keysOf(givenWords)]);
const withdrawn: ReadonlySet<string> = new Set([...no, ...keysOf(withdrawnWords)]);

/** Whether the values of a column say who has given or withdrawn consent. Names of newsletters and dates do not. */
export const readsAsConsent = (values: readonly string[]): boolean => {
  const words = new Set(values);
  if (words.size === 0 || words.size > MOST_WORDS) return false;
  return [...words].every((word) => given.has(nameKey(word)) || withdrawn.has(nameKey(word)));
};

/** A bad cell of consent refuses its row: if the cell were dropped, a withdrawal that nobody reads would be lost. */
const suggestConsent = ({ values, target }: ColumnValues): Advice => {
  const words = [...new Set(values)];
  const isPlain = words.every((word) => consentWord(word) !== undefined);
  const stateOf = (word: string): string => (given.has(nameKey(word)) ? 'given' : 'withdrawn');
  const map = Object.fromEntries(words.map((word) => [word, stateOf(word)]));
  return {
    options: isPlain ? {} : { transformations: [{ name: 'map', values: map }] },
    why: [
      'The cells say yes or no. Yes counts as consent that was given, no as consent that was withdrawn: please check.',
      `Consent that was given without a date never overrides a dated withdrawal. If a column has the date, map it to ${target}.datetime.`,
    ],
  };
};

/** Whether a target is the time of a statement of consent. */
const isConsentTime = (target: string): boolean => parseTarget(target)?.kind === 'consentTime';

/** UTC times need no transformation. Like the statement, a time that is not read refuses its row. */
const suggestTime = async (column: ColumnValues): Promise<Advice> => {
  const why = 'The date counts for consent that was given and for consent that was withdrawn: please check.';
  if (column.values.every((value) => readUtcTime(value.trim()) !== undefined))
    return { options: {}, why: [why] };
  const { options, why: reasons } = await suggestDate(column);
  const { transformations } = options;
  return {
    options: transformations ? { transformations } : {},
    why: [...reasons.filter((reason) => reason !== dropped), why],
  };
};

/** Number of values that transformations read. */
const readBy = async (
  values: readonly string[],
  transformations: readonly Transformation[],
): Promise<number> => {
  const transform = await compileTransformations(transformations, limits.imports.mappedCharacters);
  return values.filter((value) => typeof transform(value) === 'string').length;
};
