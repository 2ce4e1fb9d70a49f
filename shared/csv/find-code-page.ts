/** Find code page: the code page in which a sample of words reads best, and how sure that is. */
import { type CodePage, isDosCodePage } from './dialect.ts';
import { languagesOf, type ReadWord, readWord } from './score-words.ts';

/** A word of a file in one of the code pages that it may have. */
export interface Reading {
  readonly codePage: CodePage;
  readonly text: string;
}

/** What a sample says. `readings` show where code pages differ: the best code page first. */
export interface CodePageFinding {
  readonly codePage: CodePage;
  /**
   * `sure`: its letters prove the code page. `likely`: some other code page gives usual letters as well. `unproven`: of
   * several code pages none can be chosen; `readings` has those that give usual letters. `wordless`: none gives words.
   */
  readonly certainty: 'sure' | 'likely' | 'unproven' | 'wordless';
  readonly readings: readonly Reading[];
}

/** Windows-1252 is by far the most frequent code page, and so needs less proof. */
const HEAD_START = 2;
const MARGIN = 4;
/** Code pages of DOS are rare now, and so disprove others less. */
const DOS_MARGIN = 2;

/** With few words, chance decides about letters. */
const FEW_WORDS = 3;
const MOST_READINGS = 3;

interface Candidate {
  readonly codePage: CodePage;
  readonly words: readonly ReadWord[];
  readonly total: number;
}

const candidateOf = (words: readonly string[], codePage: CodePage): Candidate => {
  const read = words.map((word) => readWord(word, codePage));
  const total = read.reduce((sum, { score }) => sum + score, 0);
  return { codePage, words: read, total: total + (codePage === 'windows-1252' ? HEAD_START : 0) };
};

/**
 * The word whose letters are the least usual in a code page, if the words as a whole are none there. Undefined for words,
 * and for a code page whose languages are not known.
 */
export const oddWordIn = (words: readonly string[], codePage: CodePage): Reading | undefined => {
  if (!languagesOf.has(codePage)) return undefined;
  const { words: read, total } = candidateOf(words, codePage);
  if (total >= 0) return undefined;
  const [oddest] = read.filter(({ text }) => text !== undefined).toSorted((a, b) => a.score - b.score);
  return oddest?.text === undefined ? undefined : { codePage, text: oddest.text };
};

/** Finds the code page of words, given as the bytes of Latin-1. */
export const findCodePage = (words: readonly string[]): CodePageFinding => {
  const candidates = [...languagesOf.keys()].map((codePage) => candidateOf(words, codePage));
  const ranked = candidates.toSorted((a, b) => b.total - a.total);
  const [best] = ranked;
  if (!best) throw new Error('find code page: there are no code pages');
  const isDefault = best.codePage === 'windows-1252';
  const rivals = ranked
    .slice(1)
    .map((rival) => ({ rival, by: lead(best, rival) }))
    .filter(({ rival, by }) => by < marginOf(best, rival, words.length))
    .toSorted((a, b) => a.by - b.by)
    .map(({ rival }) => rival);
  if (best.total < 0)
    return { codePage: best.codePage, readings: readingsOf(best, ranked.slice(1)), certainty: 'wordless' };
  const finding = { codePage: best.codePage, readings: readingsOf(best, rivals) };
  if (rivals.length === 0)
    return { ...finding, certainty: isDefault || words.length > FEW_WORDS ? 'sure' : 'likely' };
  if (isDefault) return { ...finding, certainty: 'likely' };
  if (!hasWords(best)) return { ...finding, certainty: 'wordless' };
  return { ...finding, readings: readingsOf(best, rivals.filter(hasWords)), certainty: 'unproven' };
};

/** Whether the letters of a reading are usual, apart from the head start. */
const hasWords = ({ words }: Candidate): boolean => words.reduce((sum, { score }) => sum + score, 0) > 0;

const marginOf = (best: Candidate, rival: Candidate, words: number): number => {
  const isDos = isDosCodePage(rival.codePage);
  if (best.codePage !== 'windows-1252') return isDos && !isDosCodePage(best.codePage) ? DOS_MARGIN : MARGIN;
  // Letters of Windows-1252 are lines in DOS, and the other way round: what it explains as well is Windows-1252.
  if (isDos) return 0;
  // Windows-1254 has six letters of Turkish in place of letters that are frequent in Icelandic only.
  if (rival.codePage === 'windows-1254' && words <= 4) return MARGIN;
  if (words <= 2) return 2;
  return words <= 4 ? 1 : 0;
};

/**
 * By how much the best code page leads, in the words that differ. A code page that reads all words the same is no rival. Nor
 * is one that reads a single word of many better than Windows-1252: names of other countries occur everywhere.
 */
const lead = (best: Candidate, rival: Candidate): number => {
  const differing = best.words.flatMap((word, index) => {
    const other = rival.words[index];
    return other && other.text !== word.text ? [word.score - other.score] : [];
  });
  if (differing.length === 0) return Infinity;
  const wins = differing.filter((difference) => difference < 0).length;
  const total = differing.reduce((sum, difference) => sum + difference, 0);
  const isRare = wins < 2 && wins < best.words.length / 10;
  return best.codePage === 'windows-1252' && total < 0 && isRare ? Infinity : total;
};

/** The word in which the code pages differ most, in each of them. */
const readingsOf = (best: Candidate, rivals: readonly Candidate[]): readonly Reading[] => {
  const shown = [best, ...rivals].slice(0, MOST_READINGS);
  const texts = best.words.map((_, index) => new Set(shown.map(({ words }) => words[index]?.text)));
  const most = Math.max(0, ...texts.map(({ size }) => size));
  const index = texts.findIndex(({ size }) => size === most);
  return shown.flatMap(({ codePage, words }) => {
    const text = words[index]?.text;
    return text === undefined ? [] : [{ codePage, text }];
  });
};

/** The word in each code page: `"Gdañsk" in windows-1252 and "Gdańsk" in windows-1250`. */
export const readAs = (readings: readonly Reading[]): string =>
  readings.map(({ codePage, text }) => `${JSON.stringify(text)} in ${codePage}`).join(' and ');

/**
 * The command that makes UTF-8 of a file in a code page. The service does not know how the file is called where the command
 * runs. `iconv` knows all but some of our names.
 */
export const iconv = (codePage: CodePage): string => {
  const name = iconvNames.get(codePage) ?? codePage.toUpperCase();
  return `\`iconv -f ${name} -t UTF-8 FILE > NEW_FILE\``;
};

const iconvNames = new Map<CodePage, string>([
  ['x-mac-cyrillic', 'MACCYRILLIC'],
  ['windows-874', 'CP874'],
  ['ibm437', 'CP437'],
  ['ibm850', 'CP850'],
  ['ibm852', 'CP852'],
  ['ibm866', 'CP866'],
]);
