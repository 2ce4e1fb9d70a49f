import { hash } from 'node:crypto';

/** Draws numbers in [0, 1) by kind and key. */
export type SeededRandom = (kind: string, key: string) => number;

/**
 * Random numbers of a seed. A number depends only on the seed, its kind and key, and the number of earlier draws with
 * them. So the n-th draw of a key is the same in every run, whatever the interleaving.
 */
export const seededRandom = (seed: number): SeededRandom => {
  const sequences = new Map<string, number>();
  return (kind, key) => {
    const name = `${kind}\n${key}`;
    const sequence = sequences.get(name) ?? 0;
    sequences.set(name, sequence + 1);
    return fraction(`${seed}\n${name}\n${sequence}`);
  };
};

/** The first 48 bits of a hash as a fraction: evenly distributed, and the same on every machine. */
const fraction = (text: string): number => parseInt(hash('sha256', text, 'hex').slice(0, 12), 16) / 2 ** 48;
