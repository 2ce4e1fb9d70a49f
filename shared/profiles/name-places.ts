/**
 * Name places: where the pointers from last names are, as keyed hashes. A pointer is in the partition of the first letters of
 * its name. Its sort key has a hash for each further letter, so that names with one beginning are neighbours, then the
 * beginning of the town.
 */
import type { PropertyScope } from '../properties/scope.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import { foldLastName, foldText, leastLetters, lettersOf } from './fold-name.ts';
import { keyedHash } from './identity-claims.ts';

/** Letters of a name that its place shows. The profile decides about further letters. */
const MOST_LETTERS = 12;

/** Characters of the hash of the first letters, the longest that is needed, and of the hash of each further letter. */
const [HEAD_CHARACTERS, LETTER_CHARACTERS] = [12, 2];

/** The beginnings of a town that a place shows, in letters, and the characters of the hash of each. */
const [TOWN_LETTERS, TOWN_CHARACTERS] = [[3, 6], 3] as const;

const [NAME, TOWN] = ['last_name', 'city'] as const;

/** Beginnings of names and towns whose hashes a process remembers, of all properties: some 5 MB. Very many people share one. */
const REMEMBERED = 40_000;

/** Ends the letters of a name. It sorts before every character of a hash. */
const END = '!';

/** What comes behind `END`, and behind every character of a hash. */
const [BEHIND_END, BEHIND_ALL] = ['"', '~'];

/** The place of a name in a town: the hash of the first letters, then the hashes of the others and of the town. */
export interface PlaceOfName {
  readonly head: string;
  readonly rest: string;
}

/** The place of the pointer from a last name; undefined for a name without letters. */
export const placeOfName = (
  scope: PropertyScope,
  lastName: string,
  city: string | null,
): PlaceOfName | undefined => {
  const letters = lettersOf(foldLastName(lastName));
  if (letters.length === 0) return undefined;
  const { head, chain } = hashesOf(scope, letters);
  return { head, rest: `${chain}${END}${townHash(scope, city ?? '')}` };
};

/** Sort keys to be read in each shard of the names with these first letters. */
export interface NameRange {
  readonly from: string;
  readonly to: string;
  /** How the town in a sort key begins; null where the range has no other. */
  readonly town: string | null;
}

/** A search as its pointers see it. */
export interface NameSearch {
  readonly head: string;
  readonly ranges: readonly NameRange[];
}

/** Where the pointers are of the names that are, or begin with, `lastName`. Undefined for a text without letters. */
export const searchOfName = (
  scope: PropertyScope,
  lastName: string,
  city: string | undefined,
): NameSearch | undefined => {
  const folded = foldLastName(lastName);
  const letters = lettersOf(folded);
  if (letters.length === 0) return undefined;
  const { head, chain } = hashesOf(scope, letters);
  const town = townHash(scope, city ?? '', false);
  const exact = `${chain}${END}${town}`;
  const whole = { from: exact, to: `${exact}${BEHIND_ALL}`, town: null };
  const isWhole = letters.length < leastLetters(folded) || letters.length >= MOST_LETTERS;
  const longer = { from: `${chain}${BEHIND_END}`, to: `${chain}${BEHIND_ALL}`, town };
  return { head, ranges: isWhole ? [whole] : [whole, longer] };
};

/** Whether a sort key is of a town that begins so. */
export const isOfTown = (sort: string, { town }: NameRange): boolean =>
  town === null || sort.slice(sort.indexOf(END) + 1).startsWith(town);

/** Whether a name is what a search by name asks for. */
export const isNamedLike = (shown: string | null, wanted: string): boolean => {
  const [own, asked] = [foldLastName(shown ?? ''), foldLastName(wanted)];
  return lettersOf(asked).length < leastLetters(asked) ? own === asked : own.startsWith(asked);
};

/** Whether a town or a first name begins as a search asks, if it asks. */
export const isLike = (shown: string | null, wanted: string | undefined): boolean =>
  wanted === undefined || foldText(shown ?? '').startsWith(foldText(wanted));

/** A number for the secret of each property, which tells its hashes from those of others. */
const marks = new WeakMap<Uint8Array, number>();
let lastMark = 0;

const markOf = (secret: Uint8Array): number => {
  const mark = marks.get(secret) ?? (lastMark += 1);
  marks.set(secret, mark);
  return mark;
};

const remembered = new BoundedMap<string, string>(REMEMBERED);

/** The hash of the beginning of a name or a town. */
const hashOf = (scope: PropertyScope, field: typeof NAME | typeof TOWN, beginning: string): string => {
  const key = `${markOf(scope.keys.claims)}#${field}#${beginning}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const hash = keyedHash(scope, field, beginning).slice(0, HEAD_CHARACTERS);
  remembered.set(key, hash);
  return hash;
};

const hashesOf = (
  scope: PropertyScope,
  letters: readonly string[],
): { readonly head: string; readonly chain: string } => {
  const first = Math.min(leastLetters(letters.join('')), letters.length);
  let beginning = letters.slice(0, first).join('');
  const head = hashOf(scope, NAME, beginning);
  let chain = '';
  for (const letter of letters.slice(first, MOST_LETTERS)) {
    beginning += letter;
    chain += hashOf(scope, NAME, beginning).slice(0, LETTER_CHARACTERS);
  }
  return { head, chain };
};

/** The hash of each beginning of a town. A short town is its own beginning, except where a longer one may be meant. */
const townHash = (scope: PropertyScope, city: string, isWholeTown = true): string => {
  const letters = lettersOf(foldText(city));
  return TOWN_LETTERS.filter((length, at) => letters.length >= length || (isWholeTown && at === 0))
    .map((length) => hashOf(scope, TOWN, letters.slice(0, length).join('')).slice(0, TOWN_CHARACTERS))
    .join('');
};
