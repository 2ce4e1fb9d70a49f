/** Gender words: what files write for genders, alone or beside each other. */
import { type Language, nameKey } from './column-names.ts';
import { keysOf } from './words.ts';

/** The two words under which the suggestion brings together the words of many languages. */
export type Gender = 'female' | 'male';

/** The form in which words for genders are compared. The accent of `nő` keeps it apart from `no`. */
export const genderKey = (text: string): string =>
  text.normalize('NFC').trim().toLowerCase() === 'nő' ? 'nő' : nameKey(text);

const wordsOf = (words: string): ReadonlySet<string> => new Set([...keysOf(words)]);

/** The words that most files have. */
const plain = wordsOf('m, f, male, female');

/** Words for other genders, and for none. */
const others = wordsOf(
  'd, x, mx, u, diverse, divers, non binary, nonbinary, other, unknown, unspecified, not specified, prefer not to say, m w d, unbekannt, keine angabe, anders, autre, inconnu, otro, altro, inna, outro, annat, andet, annet, muu, その他, 不明, 回答しない',
);

const female = wordsOf(
  'female, woman, women, girl, mrs, ms, miss, frau, weiblich, femme, feminin, madame, mme, mlle, mujer, femenino, fem, senora, sra, femmina, donna, femminile, signora, sig ra, vrouw, vrouwelijk, mevrouw, mevr, mw, kobieta, zenski, pani, mulher, feminino, senhora, kvinna, kvinde, kvinne, zena, zenske, nainen, naine, femeie, γυναικα, θηλυ, 여, 여자, 여성, 女, 女性, kadın, kadin, bayan, жен, женский, женщина',
);
const male = wordsOf(
  'male, man, men, boy, mr, herr, mann, mannlich, homme, masculin, monsieur, hombre, masculino, varon, mas, senor, sr, maschio, uomo, maschile, signor, sig, mannelijk, heer, de heer, dhr, mezczyzna, meski, pan, homem, senhor, mand, muz, muzske, mies, mees, barbat, ferfi, ανδρας, αρρεν, 남, 남자, 남성, 男, 男性, erkek, bay, муж, мужской, мужчина',
);

/** Two letters that are genders only beside each other, and what they then mean. */
interface Pair {
  readonly female: string;
  readonly male: string;
  /** The languages of files in which alone it is certain. Left out if it is certain in all. */
  readonly languages?: readonly Language[];
}

/** `M` is a woman beside `H` in Spanish; `F` is a man beside `N` in Hungarian, elsewhere `N` may stand for no answer. */
const pairs: readonly Pair[] = [
  { female: 'w', male: 'm' },
  { female: 'k', male: 'm' },
  { female: 'z', male: 'm' },
  { female: 'v', male: 'm', languages: ['nl'] },
  { female: 'n', male: 'm', languages: ['fi'] },
  { female: 'm', male: 'h', languages: ['es'] },
  { female: 'm', male: 'v', languages: ['es'] },
  { female: 'f', male: 'h' },
  { female: 'f', male: 'b' },
  { female: 'n', male: 'f', languages: ['hu'] },
  { female: 'k', male: 'e' },
  { female: 'γ', male: 'α' },
  { female: 'γ', male: 'a' },
  { female: 'θ', male: 'α' },
  { female: 'ж', male: 'м' },
];

const letters: ReadonlySet<string> = new Set(pairs.flatMap((pair) => [pair.female, pair.male]));
/** Words beside which `M.` is `Monsieur`, or `M` is `male`. */
const besideM = wordsOf('mme, mlle, madame, frau, mrs, ms, miss, male');

/** Whether a text is a word for a gender. */
export const isGender = (value: string): boolean => {
  const key = genderKey(value);
  return [plain, others, female, male, letters].some((words) => words.has(key)) || key === 'nő';
};

/** Whether a text is one of the words for genders that most files have, or says neither. */
export const isPlainGender = (value: string): boolean =>
  plain.has(genderKey(value)) || others.has(genderKey(value));

/** What each word of a column means, by its key. A letter alone means nothing: what stands beside it says what it is. */
export const gendersOf = (
  values: readonly string[],
  language: Language | undefined,
): ReadonlyMap<string, Gender> => {
  const keys = new Set(values.map(genderKey));
  const found = new Map<string, Gender>();
  for (const key of keys) {
    if (female.has(key) || key === 'nő') found.set(key, 'female');
    if (male.has(key)) found.set(key, 'male');
  }
  const single = [...keys].filter((key) => letters.has(key));
  if (single.length === 1 && single[0] === 'm' && [...keys].some((key) => besideM.has(key)))
    return found.set('m', 'male');
  if (single.length === 1 && single[0] === 'f' && keys.has('female')) return found.set('f', 'female');
  if (single.length === 2 && single.includes('m') && single.includes('f'))
    return found.set('f', 'female').set('m', 'male');
  if (single.length !== 2) return found;
  const pair = pairs.find(
    (each) =>
      single.includes(each.female) &&
      single.includes(each.male) &&
      (!each.languages || (language !== undefined && each.languages.includes(language))),
  );
  return pair ? found.set(pair.female, 'female').set(pair.male, 'male') : found;
};
