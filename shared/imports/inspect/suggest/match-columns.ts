/** Match columns: finds the fields of records that the columns of a header name, in several languages. */
import { columnNames, type Language, languages, nameKey } from './column-names.ts';

/** A column whose name is known. */
export interface ColumnTarget {
  readonly target: string;
  /** The language of the name; `null` for a name of several languages. */
  readonly language: Language | null;
}

const known: ReadonlyMap<string, ColumnTarget> = new Map(
  languages
    .toReversed()
    .flatMap((language) =>
      Object.entries<Readonly<Partial<Record<Language, string>>>>(columnNames).flatMap(([target, names]) =>
        (names[language]?.split(',') ?? []).map(
          (name) => [nameKey(name), { target, language: language === 'en' ? null : language }] as const,
        ),
      ),
    ),
);

/** The fields themselves are names too: `first_name`, `has_children`. */
const targets: ReadonlySet<string> = new Set(Object.keys(columnNames));

const targetOf = (name: string): ColumnTarget | null =>
  targets.has(name.toLowerCase())
    ? { target: name.toLowerCase(), language: null }
    : (known.get(nameKey(name)) ?? null);

/** Names of a person's name that mean another part of it, depending on the other columns. */
const wholeOrLast: ReadonlySet<string> = new Set(['name', 'naam', 'nom']);
const wholeOrFirst: ReadonlySet<string> = new Set(['nombre', 'nome']);

/**
 * The field that each column of a header names; `null` for unknown names. `Name` beside `Vorname` is the last name, alone
 * it is the full name; likewise for `nom`, `nombre` and `nome`.
 */
export const columnTargets = (header: readonly string[]): readonly (ColumnTarget | null)[] => {
  const found = header.map(targetOf);
  const plain = header.map((name, index) => (isAmbiguous(name) ? undefined : found[index]?.target));
  return found.map((column, index) => {
    const key = nameKey(header[index] ?? '');
    if (!column || !isAmbiguous(key)) return column;
    if (wholeOrLast.has(key))
      return { ...column, target: plain.includes('first_name') ? 'last_name' : 'full_name' };
    return { ...column, target: plain.includes('last_name') ? 'first_name' : 'full_name' };
  });
};

const isAmbiguous = (name: string): boolean => {
  const key = nameKey(name);
  return wholeOrLast.has(key) || wholeOrFirst.has(key);
};

/** The language of most names of a header that are of one language only; English without such a name. */
export const languageOf = (columns: readonly (ColumnTarget | null)[]): Language => {
  const counts = languages.map((language) => ({
    language,
    count: columns.filter((column) => column?.language === language).length,
  }));
  const [best] = counts.toSorted((a, b) => b.count - a.count);
  return best && best.count > 0 ? best.language : 'en';
};
