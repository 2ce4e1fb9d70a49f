/** Largest byte that ends a number; a higher byte means that more follow. */
const LAST = 0x7f;
const BASE = 0x80;

/** Bytes of the largest safe integer. */
const MAX_BYTES = 8;

/** Appends a whole number (0 to 2⁵³ − 1), 7 bits a byte, lowest first. */
export const pushVarint = (bytes: number[], value: number): void => {
  let rest = value;
  while (rest > LAST) {
    bytes.push((rest % BASE) | BASE);
    rest = Math.floor(rest / BASE);
  }
  bytes.push(rest);
};

/** Reads numbers one after the other; throws at a truncated or overlong one. */
export class VarintReader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes;
    this.#at = start;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  next(): number {
    let value = 0;
    let scale = 1;
    for (let count = 0; count < MAX_BYTES; count += 1) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) break;
      this.#at += 1;
      value += (byte & LAST) * scale;
      if (byte <= LAST) return value;
      scale *= BASE;
    }
    throw new Error('varint: cut or overlong');
  }
}
