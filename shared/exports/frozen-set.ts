import { ORDINALS_PER_CHUNK } from '../table/keys.ts';

/** Members among the 4,096 ordinals of a chunk: bit `o % 8` of byte `o / 8` (least first) stands for offset `o`. */
export interface ChunkBits {
  /** Ordinals divided by 4,096. */
  readonly chunk: number;
  readonly bits: Uint8Array;
}

const CHUNK_BYTES = ORDINALS_PER_CHUNK / 8;
const INDEX_BYTES = 6;
const ENTRY_BYTES = INDEX_BYTES + CHUNK_BYTES;
const MAGIC = Buffer.from('TMS1');

/** Members of an export as one object: `TMS1`, then per chunk its index (48 bits) and its 512 bytes of bits. */
export const encodeFrozen = (chunks: readonly ChunkBits[]): Uint8Array => {
  const encoded = Buffer.alloc(MAGIC.length + chunks.length * ENTRY_BYTES);
  MAGIC.copy(encoded);
  chunks.forEach(({ chunk, bits }, index) => {
    const at = MAGIC.length + index * ENTRY_BYTES;
    encoded.writeUIntBE(chunk, at, INDEX_BYTES);
    encoded.set(bits, at + INDEX_BYTES);
  });
  return encoded;
};

/** The chunks of an encoded set. Throws when the bytes are not one. */
export const decodeFrozen = (encoded: Uint8Array): readonly ChunkBits[] => {
  const bytes = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  const entries = (bytes.length - MAGIC.length) / ENTRY_BYTES;
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC) || !Number.isInteger(entries))
    throw new Error('exports: not a frozen set');
  return Array.from({ length: entries }, (_, index) => {
    const at = MAGIC.length + index * ENTRY_BYTES;
    return {
      chunk: bytes.readUIntBE(at, INDEX_BYTES),
      bits: bytes.subarray(at + INDEX_BYTES, at + ENTRY_BYTES),
    };
  });
};

const ones = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

const countBits = (bits: Uint8Array): number => {
  let count = 0;
  for (const byte of bits) count += ones[byte] ?? 0;
  return count;
};

/** Number of members. */
export const cardinality = (chunks: readonly ChunkBits[]): number =>
  chunks.reduce((sum, { bits }) => sum + countBits(bits), 0);

/** Members number `from` to `to` (exclusive, from 0) of the set, ascending. */
export function* ordinalsBetween(
  chunks: readonly ChunkBits[],
  from: number,
  to: number,
): Generator<number, void> {
  let rank = 0;
  for (const { chunk, bits } of chunks) {
    if (rank >= to) return;
    const count = countBits(bits);
    if (rank + count > from)
      for (const offset of offsetsOf(bits)) {
        if (rank >= from && rank < to) yield chunk * ORDINALS_PER_CHUNK + offset;
        rank += 1;
      }
    else rank += count;
  }
}

function* offsetsOf(bits: Uint8Array): Generator<number, void> {
  for (const [index, byte] of bits.entries())
    for (let bit = 0; byte >> bit > 0; bit += 1) if (((byte >> bit) & 1) === 1) yield index * 8 + bit;
}

/** Collects ordinals, in any order and however often, into chunks in ascending order. */
export const chunksOf = (ordinals: Iterable<number>): readonly ChunkBits[] => {
  const chunks = new Map<number, Uint8Array>();
  for (const ordinal of ordinals) {
    const chunk = Math.floor(ordinal / ORDINALS_PER_CHUNK);
    const bits = chunks.get(chunk) ?? new Uint8Array(CHUNK_BYTES);
    chunks.set(chunk, bits);
    const offset = ordinal % ORDINALS_PER_CHUNK;
    bits[offset >> 3] = (bits[offset >> 3] ?? 0) | (1 << (offset & 7));
  }
  return [...chunks].sort(([a], [b]) => a - b).map(([chunk, bits]) => ({ chunk, bits }));
};
