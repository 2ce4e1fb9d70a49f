/** Key filter: a scalable Bloom filter over the keys of items. */
/** Bits of the first layer. Each further layer has four times as many. */
const FIRST_BITS = 2 ** 20;
const GROWTH = 4;

/** With 11 bits per key and 7 probes, a full layer reports one absent key in 200 as present. */
const BITS_PER_KEY = 11;
const PROBES = 7;

interface Layer {
  readonly bits: Uint32Array;
  readonly mask: number;
  room: number;
}

const layerOf = (bits: number): Layer => ({
  bits: new Uint32Array(bits / 32),
  mask: bits - 1,
  room: Math.floor(bits / BITS_PER_KEY),
});

const holds = ({ bits, mask }: Layer, first: number, second: number): boolean => {
  for (let probe = 0, at = first; probe < PROBES; probe += 1, at = (at + second) | 0) {
    const bit = at & mask;
    if (((bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
  }
  return true;
};

/**
 * A Bloom filter that grows by layers (Almeida et al., "Scalable Bloom Filters", 2007). It has no false negatives. One
 * or two in a hundred absent keys are false positives.
 */
export class KeyFilter {
  readonly #layers: Layer[] = [layerOf(FIRST_BITS)];

  /** Adds a key. A repeated addition changes nothing. */
  add(key: string): void {
    const { first, second } = hashesOf(key);
    if (this.#has(first, second)) return;
    const layer = this.#layerWithRoom();
    for (let probe = 0, at = first; probe < PROBES; probe += 1, at = (at + second) | 0) {
      const bit = at & layer.mask;
      layer.bits[bit >>> 5] = (layer.bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
    layer.room -= 1;
  }

  /** Whether the key may have been added. `false` is certain. */
  mayHave(key: string): boolean {
    const { first, second } = hashesOf(key);
    return this.#has(first, second);
  }

  #has(first: number, second: number): boolean {
    return this.#layers.some((layer) => holds(layer, first, second));
  }

  #layerWithRoom(): Layer {
    const last = this.#layers.at(-1);
    if (last && last.room > 0) return last;
    const next = layerOf(last ? (last.mask + 1) * GROWTH : FIRST_BITS);
    this.#layers.push(next);
    return next;
  }
}

/**
 * Two hashes of a text, from which all probes derive (Kirsch and Mitzenmacher, 2006). Both derive from one hash of 32
 * bits (FNV-1a), which adds one false positive in 1,400 absent keys when the filter has 3,000,000 keys.
 */
const hashesOf = (text: string): { readonly first: number; readonly second: number } => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return { first: mixed(hash), second: mixed(hash ^ 0x5bd1e995) | 1 };
};

/** The final step of MurmurHash3: every bit of the hash affects the low bits, which choose the bits of a layer. */
const mixed = (hash: number): number => {
  let bits = hash ^ (hash >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return bits ^ (bits >>> 16);
};
