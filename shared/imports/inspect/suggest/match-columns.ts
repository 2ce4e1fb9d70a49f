/** Match columns: finds the fields of records that the columns of a header name, in several languages. */
import { columnNames, type Language, languages, nameKey } from './column-names.ts';
import { doubtfulNames, international, knownNames, type Meaning } from './known-names.ts';
import { plainOptOutOf } from './opt-outs.ts';
import { visibleText } from '../../../runtime/visible-text.ts';
import { countsOf } from '../../../runtime/counts.ts';

/** A column whose name is known. */
export interface ColumnTarget {
  readonly target: string;
  /** The languages of the name; none for a name of all languages. */
  readonly languages: readonly Language[];
  /** Whether the name may as well mean something else, because the other columns have names of other languages. */
  readonly isDoubtful: boolean;
}

/** The fields themselves are names too: `first_name`, `has_children`. */
const targets: ReadonlySet<string> = new Set(Object.keys(columnNames));

const ofAllLanguages = (target: string): ColumnTarget => ({ target, languages: [], isDoubtful: false });

/** What a name means in a file of which `votes` tell the languages. */
const targetOf = (name: string, key: string, votes: Votes): ColumnTarget | null => {
  if (targets.has(name.toLowerCase())) return ofAllLanguages(name.toLowerCase());
  const meanings = knownNames.get(key);
  if (!meanings) {
    const optOut = plainOptOutOf(name);
    return optOut ? ofAllLanguages(`consent.${optOut.channel}`) : null;
  }
  const [best] = meanings.toSorted((a, b) => votesFor(b, votes) - votesFor(a, votes));
  if (!best) return null;
  const { target } = best;
  const own = meanings.filter((meaning) => meaning.target === target).map(({ language }) => language);
  if (international.has(key)) return ofAllLanguages(target);
  // The column itself has voted for its languages.
  const others = Math.max(0, ...own.map((language) => (votes.get(language) ?? 0) - 1));
  const most = Math.max(
    0,
    ...[...votes].filter(([language]) => !own.includes(language)).map(([, count]) => count),
  );
  const isDoubtful = doubtfulNames.has(key) && (others === 0 || others < most);
  return { target, languages: own, isDoubtful };
};

const votesFor = ({ language }: Meaning, votes: Votes): number => votes.get(language) ?? 0;

/** For each language the number of columns with a name of it. */
type Votes = ReadonlyMap<Language, number>;

const votesOf = (keys: readonly string[]): Votes =>
  countsOf(
    [...new Set(keys)].flatMap((key) =>
      international.has(key) ? [] : [...new Set((knownNames.get(key) ?? []).map(({ language }) => language))],
    ),
  );

/** Names of a person's name that mean another part of it, depending on the other columns. */
const wholeOrLast: ReadonlySet<string> = new Set([
  'name',
  'naam',
  'nom',
  'namn',
  'navn',
  'nazwa',
  'nimi',
  'nume',
]);
const wholeOrFirst: ReadonlySet<string> = new Set(
  ['nombre', 'nome', 'jmeno', 'ονομα', 'ad', 'adı', 'adi', 'isim', '이름'].map(nameKey),
);

/**
 * The field that each column of a header names; `null` for unknown names. `Name` beside `Vorname` is the last name, alone
 * or beside `Vorname` and `Nachname` it is the full name; likewise for `nom`, `nombre` and `nome`.
 */
export const columnTargets = (header: readonly string[]): readonly (ColumnTarget | null)[] => {
  const keys = header.map(nameKey);
  const votes = votesOf(keys);
  const found = header.map((name, index) => targetOf(name, keys[index] ?? '', votes));
  const plain = new Set(
    found.map((column, index) => (isPart(keys[index] ?? '') ? undefined : column?.target)),
  );
  return found.map((column, index) => {
    const key = keys[index] ?? '';
    if (!column || !isPart(key)) return column;
    const [own, other] = wholeOrLast.has(key) ? (['last_name', 'first_name'] as const) : firstAndLast;
    return { ...column, target: plain.has(other) && !plain.has(own) ? own : 'full_name' };
  });
};

const firstAndLast = ['first_name', 'last_name'] as const;

/** Whether a name of a column means the whole name of a person, or else the last name. */
const isWholeOrLast = (name: string): boolean => wholeOrLast.has(nameKey(name));

const isPart = (key: string): boolean => wholeOrLast.has(key) || wholeOrFirst.has(key);

/** The language of most names of a header; English without such a name. Names of several languages count for each. */
export const languageOf = (columns: readonly (ColumnTarget | null)[]): Language => {
  const counts = languages.map((language) => ({
    language,
    count: columns.filter((column) => column?.isDoubtful === false && column.languages.includes(language))
      .length,
  }));
  // A file in another language has English names more often than the other way round.
  const [english, ...others] = counts;
  const [best] = others.toSorted((a, b) => b.count - a.count);
  return best && best.count > 0 && best.count >= (english?.count ?? 0) ? best.language : 'en';
};

/** The share of rows that must repeat the last name before `Name` counts as the full name. */
const MOST = 0.5;

/**
 * Corrects what the names of columns mean. `Name` means the first name if the file has a column of last names and none of
 * first names, and if most cells of `Name` do not repeat the last name.
 */
export const withFirstNames = (
  header: readonly string[],
  named: readonly (ColumnTarget | null)[],
  rows: readonly (readonly string[])[],
): readonly (ColumnTarget | null)[] => {
  const at = (target: string): number => named.findIndex((column) => column?.target === target);
  const [whole, last] = [at('full_name'), at('last_name')];
  if (last < 0 || at('first_name') >= 0 || !isWholeOrLast(header[whole] ?? '')) return named;
  const both = rows.flatMap((cells) => {
    const [name, lastName] = [wordsOf(cells[whole]), wordsOf(cells[last])];
    return name.length > 0 && lastName.length > 0 ? [{ name, lastName }] : [];
  });
  const repeating = both.filter(({ name, lastName }) => lastName.every((word) => name.includes(word)));
  if (both.length === 0 || repeating.length >= both.length * MOST) return named;
  return named.map((column, index) =>
    column && index === whole ? { ...column, target: 'first_name' } : column,
  );
};

const wordsOf = (cell = ''): readonly string[] =>
  visibleText(cell)
    .toLowerCase()
    .split(/[\s,;]+/u)
    .filter((word) => word !== '');
