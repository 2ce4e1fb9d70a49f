/**
 * Decoded twice: finds and mends text whose UTF-8 was read in a code page and then saved again, such as `KÃ¤the`. Each
 * run of characters above ASCII is judged by itself, so right text beside a wrong one stays as it is.
 */
import { isUtf8 } from 'node:buffer';

/** Code pages in which programs read UTF-8 by mistake. */
const PAGES = ['windows-1252', 'windows-1251', 'windows-1250', 'macintosh'] as const;

/** Text may have been decoded wrongly again and again. */
const MOST_ROUNDS = 3;

const aboveAscii = /[\u0080-\u{10ffff}]{2,}/gu;

const betweenWords = /[\s,;|"]+/u;
const hasAboveAscii = /[\u0080-\u{10ffff}]/u;

/** Letters and signs of Western and Central European text. */
const european = /^[\u00a0-\u017f\u0218-\u021b\u2010-\u2026\u20ac\u2122]+$/u;

/** Text of another script. It is judged only if it is long enough to be no chance. */
const otherScript = /^[\p{L}\p{M}\p{N}\p{P}]+$/u;
const OTHER_SCRIPT_BYTES = 6;

/** The byte order mark of UTF-8, which was read as `ï»¿`. */
const BYTE_ORDER_MARK = '\ufeff';

/** Pairs of letters that words of Slovak have, although they are the bytes of one character in Windows-1250. */
const realPairs = new Set(['ĹŠ', 'ĹŽ', 'ĹŤ', 'ĹŇ']);

/** A text with all runs mended that were decoded twice. The text itself when it has none. */
export const mendTwice = (text: string): string => {
  let mended = text;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const next = mended.replace(aboveAscii, (run) => mendRun(run) ?? run);
    if (next === mended) break;
    mended = next;
  }
  return mended;
};

/** The words of a text that `mendTwice` mends, and the number of its other words above ASCII. */
export const mendedRuns = (
  text: string,
): {
  readonly mended: readonly { readonly before: string; readonly after: string }[];
  readonly others: number;
} => {
  const words = text.split(betweenWords).filter((word) => hasAboveAscii.test(word));
  const mended = words
    .map((before) => ({ before, after: mendTwice(before) }))
    .filter(({ before, after }) => before !== after);
  return { mended, others: words.length - mended.length };
};

/** The text of a run before it was decoded a second time, if it was. */
const mendRun = (run: string): string | undefined => {
  if (realPairs.has(run)) return undefined;
  for (const page of PAGES) {
    const bytes = bytesOf(run, page);
    if (bytes === undefined || !isUtf8(bytes)) continue;
    const text = bytes.toString('utf8');
    if (text === BYTE_ORDER_MARK) return '';
    if (european.test(text) || (bytes.length >= OTHER_SCRIPT_BYTES && otherScript.test(text))) return text;
  }
  return undefined;
};

const bytesOf = (run: string, page: (typeof PAGES)[number]): Buffer | undefined => {
  const table = tableOf(page);
  const bytes: number[] = [];
  for (const character of run) {
    const byte = table.get(character);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  }
  return Buffer.from(bytes);
};

const tables = new Map<string, ReadonlyMap<string, number>>();

/** The byte of each character. Bytes without a character are C1 controls, as programs read them. */
const tableOf = (page: (typeof PAGES)[number]): ReadonlyMap<string, number> => {
  const known = tables.get(page);
  if (known) return known;
  const decoder = new TextDecoder(page);
  const table = new Map<string, number>();
  for (let byte = 0x80; byte < 0x100; byte += 1) {
    table.set(decoder.decode(Uint8Array.of(byte)), byte);
    if (byte < 0xa0 && page === 'windows-1252') table.set(String.fromCharCode(byte), byte);
  }
  tables.set(page, table);
  return table;
};
