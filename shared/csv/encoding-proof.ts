/** Encoding proof: tells UTF-8 and the code pages from each other by all bytes of a file, in constant memory. */
import { isAscii, isUtf8 } from 'node:buffer';
import { err, ok, type Result } from '../runtime/result.ts';
import type { Encoding } from './dialect.ts';
import type { EncodingEvidence } from './encoding-evidence.ts';
import { findCodePage, type Reading } from './find-code-page.ts';
import { isBetweenWords, WORD_BYTES, WordSample } from './word-sample.ts';

/** The bytes without a character in Windows-1252. */
const UNASSIGNED = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

/** The smallest first byte of a character of two bytes. Smaller bytes above ASCII continue a character. */
const FIRST_LEAD = 0xc2;
const LAST_LEAD = 0xf4;

/** The range of the second byte after a first byte, where it is smaller than that of other bytes. */
const secondBytes: ReadonlyMap<number, readonly [number, number]> = new Map([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
]);

/** In Windows-1252: a sign or an unassigned byte inside a word or in front of it, or a capital behind a small letter. */
const oddWord =
  /[a-z\u00c0-\u00ff][\u0080-\u0089\u008b\u008d\u008f\u0090\u0095-\u0099\u009b\u009d\u00a0-\u00a9\u00ab-\u00b3\u00b5\u00b6\u00b8\u00b9\u00bb-\u00bf\u00d7\u00f7][a-z\u00c0-\u00ff]|[a-z][\u008a\u008c\u008e\u009f\u00c0-\u00d6\u00d8-\u00de]|^[\u008d\u008f\u00a2-\u00a6\u00ac-\u00b3\u00b9\u00bc-\u00be][a-z]/;

/** Collects evidence from the bytes of a file, in pieces of any size. */
export class EncodingProof {
  #evidence: Omit<EncodingEvidence, 'words' | 'oddWords'>;
  readonly #words: WordSample;
  readonly #oddWords: WordSample;
  /** The start of a word or a character that the next piece completes. */
  #open: Buffer = Buffer.alloc(0);

  /** Continues behind the offset of `evidence`. */
  constructor({ words, oddWords, ...evidence }: EncodingEvidence) {
    this.#evidence = evidence;
    this.#words = new WordSample(words);
    this.#oddWords = new WordSample(oddWords);
  }

  /** The evidence of all whole words so far. Another proof can continue from it. */
  get evidence(): EncodingEvidence {
    return { ...this.#evidence, words: [...this.#words.words], oddWords: [...this.#oddWords.words] };
  }

  /** Adds the next bytes of the file. */
  push(bytes: Uint8Array): void {
    const all = this.#open.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#open, bytes]);
    const word = openWord(all);
    const isBegun = word < all.length || !this.#evidence.inside;
    const isShort = isBegun && word <= WORD_BYTES + LONGEST_CHARACTER;
    const end = all.length - (isShort ? word : openBytes(all));
    this.#add(all.subarray(0, end), !isShort);
    this.#open = Buffer.from(all.subarray(end));
  }

  /** Ends the file, and returns all its evidence. */
  finish(): EncodingEvidence {
    this.#add(this.#open, false);
    this.#open = Buffer.alloc(0);
    return this.evidence;
  }

  #add(bytes: Buffer, inside: boolean): void {
    const { offset, sequences, contradictions, contradiction, unassigned } = this.#evidence;
    const next = { offset: offset + bytes.length, inside };
    if (isAscii(bytes)) {
      this.#evidence = { ...this.#evidence, ...next };
      return;
    }
    const isText = isUtf8(bytes);
    if (!isText) this.#addWords(bytes, this.#evidence.inside);
    const found = isText ? { sequences: leadBytes(bytes), contradictions: 0 } : count(bytes);
    this.#evidence = {
      ...next,
      sequences: sequences + found.sequences,
      contradictions: contradictions + found.contradictions,
      contradiction: contradiction ?? byteOf(bytes, found.first ?? -1, offset),
      unassigned: unassigned ?? byteOf(bytes, firstUnassigned(bytes), offset),
    };
  }

  /** Adds the words that are not UTF-8. The first one may be the rest of a long word, which is left out. */
  #addWords(bytes: Buffer, inside: boolean): void {
    let start = inside ? wordEnd(bytes, 0) : 0;
    while (start < bytes.length) {
      if (isBetweenWords(bytes[start] ?? 0)) {
        start += 1;
        continue;
      }
      const end = wordEnd(bytes, start);
      const word = bytes.subarray(start, Math.min(end, start + WORD_BYTES));
      if (!isUtf8(word.subarray(0, word.length - (word.length === WORD_BYTES ? openBytes(word) : 0))))
        this.#addWord(word.toString('latin1'));
      start = end;
    }
  }

  #addWord(word: string): void {
    this.#words.add(word);
    if (oddWord.test(word)) this.#oddWords.add(word);
  }
}

const LONGEST_CHARACTER = 4;

const wordEnd = (bytes: Buffer, start: number): number => {
  let end = start;
  while (end < bytes.length && !isBetweenWords(bytes[end] ?? 0)) end += 1;
  return end;
};

/** Number of bytes of the word at the end, at most some more than a word that is kept. */
const openWord = (bytes: Buffer): number => {
  const most = Math.min(bytes.length, WORD_BYTES + LONGEST_CHARACTER + 1);
  let length = 0;
  while (length < most && !isBetweenWords(bytes[bytes.length - 1 - length] ?? 0)) length += 1;
  return length;
};

/** What all bytes of a file prove: its encoding, and whether its letters leave a doubt about it. */
export interface Proven {
  readonly encoding: Encoding;
  /** A word in the code pages that give usual letters; none if the encoding is sure. */
  readonly doubt: readonly Reading[];
  /** The number of different words on which that is based. */
  readonly words: number;
}

/** Why nothing is proven, and the first byte that is not UTF-8. */
export interface Unproven {
  readonly offset: number;
  readonly byte: number;
  /** `mixed`: the file has several encodings, or damage. `several`: several code pages give words. `wordless`: none does. */
  readonly why: 'mixed' | 'several' | 'wordless';
  /** A word in the code pages that give words, or in those that come nearest to words. */
  readonly readings: readonly Reading[];
}

/**
 * The encoding that the evidence of a whole file proves. Without a contradiction the file is UTF-8. If more of its
 * characters are UTF-8 than bytes are not, then the file mixes encodings, and a code page would turn all of these characters
 * into wrong ones. Otherwise the letters decide about the code page. Fails when they do not.
 */
export const provenBy = (evidence: EncodingEvidence): Result<Proven, Unproven> => {
  const { sequences, contradictions, contradiction, unassigned, words, oddWords } = evidence;
  if (contradiction === null) return ok({ encoding: 'utf-8', doubt: [], words: 0 });
  if (sequences > contradictions) return err({ ...contradiction, why: 'mixed', readings: [] });
  const seen = [...new Set([...words, ...oddWords])];
  const { codePage, certainty, readings } = findCodePage(seen);
  // A byte without a character in Windows-1252 is one of another encoding, or damage.
  const isDamaged = codePage === 'windows-1252' && unassigned !== null;
  if (isDamaged) return err({ ...contradiction, why: 'mixed', readings: [] });
  if (certainty === 'wordless') return err({ ...contradiction, why: 'wordless', readings });
  if (certainty === 'unproven') return err({ ...contradiction, why: 'several', readings });
  return ok({ encoding: codePage, doubt: certainty === 'sure' ? [] : readings, words: seen.length });
};

interface Counted {
  readonly sequences: number;
  readonly contradictions: number;
  /** The index of the first byte that is not UTF-8. */
  readonly first?: number | undefined;
}

const count = (bytes: Buffer): Counted => {
  let sequences = 0;
  let contradictions = 0;
  let first: number | undefined;
  let at = 0;
  while (at < bytes.length) {
    if ((bytes[at] ?? 0) < 0x80) {
      at += 1;
      continue;
    }
    const length = sequenceAt(bytes, at);
    if (length > 0) {
      sequences += 1;
    } else {
      contradictions += 1;
      first ??= at;
    }
    at += Math.max(length, 1);
  }
  return { sequences, contradictions, first };
};

/** Number of bytes of the character of several bytes at an index; 0 without one (Unicode Standard, table 3-7). */
const sequenceAt = (bytes: Buffer, at: number): number => {
  const lead = bytes[at] ?? 0;
  if (lead < FIRST_LEAD || lead > LAST_LEAD) return 0;
  const length = bytesOfCharacter(lead);
  const [low, high] = secondBytes.get(lead) ?? [0x80, 0xbf];
  const second = bytes[at + 1] ?? 0;
  if (second < low || second > high) return 0;
  for (let index = at + 2; index < at + length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte < 0x80 || byte > 0xbf) return 0;
  }
  return length;
};

const leadBytes = (bytes: Buffer): number => {
  let found = 0;
  for (let at = 0; at < bytes.length; at += 1) if ((bytes[at] ?? 0) >= FIRST_LEAD) found += 1;
  return found;
};

const firstUnassigned = (bytes: Buffer): number =>
  UNASSIGNED.map((byte) => bytes.indexOf(byte)).reduce(
    (first, at) => (at === -1 || (first !== -1 && first < at) ? first : at),
    -1,
  );

const byteOf = (
  bytes: Buffer,
  index: number,
  offset: number,
): { readonly offset: number; readonly byte: number } | null => {
  const byte = bytes[index];
  return byte === undefined ? null : { offset: offset + index, byte };
};

/** Number of bytes at the end that may begin a character of UTF-8 and do not complete it. */
const openBytes = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0x80 && byte < 0xc0) continue;
    return byte >= FIRST_LEAD && back < bytesOfCharacter(byte) ? back : 0;
  }
  return 0;
};

/** Number of bytes of a character of UTF-8 by its first byte. */
const bytesOfCharacter = (lead: number): number => {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
};
