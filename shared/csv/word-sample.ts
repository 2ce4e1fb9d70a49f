/** Word sample: keeps some words of a file, of constant number, whatever the pieces in which the file comes. */

import { isAscii } from 'node:buffer';

/** Number of words in a sample, and of bytes of a longer word that are kept. */
const MOST_WORDS = 100;
export const WORD_BYTES = 48;

/**
 * The different words with the smallest hashes: so each different word has the same chance, wherever it stands in the file
 * and however often.
 */
export class WordSample {
  readonly #hashes: Map<string, number>;
  #largest = 0;

  /** Continues a sample. */
  constructor(words: readonly string[]) {
    this.#hashes = new Map(words.map((word) => [word, hashOf(word)]));
    this.#largest = Math.max(0, ...this.#hashes.values());
  }

  /** The words of the sample, as the bytes of Latin-1. */
  get words(): readonly string[] {
    return [...this.#hashes].toSorted(([, a], [, b]) => a - b).map(([word]) => word);
  }

  add(word: string): void {
    const hash = hashOf(word);
    if (this.#hashes.has(word) || (this.#hashes.size >= MOST_WORDS && hash >= this.#largest)) return;
    this.#hashes.set(word, hash);
    this.#largest = Math.max(this.#largest, hash);
    if (this.#hashes.size <= MOST_WORDS) return;
    for (const [known, its] of this.#hashes) if (its === this.#largest) this.#hashes.delete(known);
    this.#largest = Math.max(...this.#hashes.values());
  }
}

/** The words of a text above ASCII, as the bytes of Latin-1. */
export const wordsAboveAscii = (bytes: Buffer): readonly string[] => {
  const sample = new WordSample([]);
  let start = 0;
  for (let at = 0; at <= bytes.length; at += 1) {
    if (at < bytes.length && !isBetweenWords(bytes[at] ?? 0)) continue;
    const word = bytes.subarray(start, Math.min(at, start + WORD_BYTES));
    if (!isAscii(word)) sample.add(word.toString('latin1'));
    start = at + 1;
  }
  return sample.words;
};

/** FNV-1a, mixed, so that similar words have different hashes. */
const hashOf = (word: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
};

/** Whether a byte stands between words. In no code page does a byte of a longer character look like one. */
export const isBetweenWords = (byte: number): boolean => byte < 0x30 || (byte >= 0x3a && byte <= 0x3f);
