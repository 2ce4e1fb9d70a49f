/**
 * Frozen set: the members of an export as one immutable object, and operations on such sets of bitmap chunks. The members
 * of a job, those of its base, and those of whom its receiver may know either are its *candidates*: nobody else can have a
 * row in its file. So a forgetting and the list of disclosures ask the frozen sets and never read a file.
 */
import {
  bitsOf,
  countBits,
  decodeChunk,
  encodeChunk,
  hasBit,
  offsetsFrom,
  isEmpty,
  or,
  xor,
  type Bits,
} from '../../membership/chunk.ts';
import type { MemberChunk } from '../../membership/read-members.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { ORDINALS_PER_CHUNK } from '../../table/keys.ts';
import type { ExportPlan } from './items.ts';

const MAGIC = Buffer.from('TMS1');
const INDEX_BYTES = 6;
const HEAD_BYTES = INDEX_BYTES + 2;

/**
 * Encodes members as one object: `TMS1`, then for each chunk its index (48 bits), the length of its encoding (16 bits)
 * and its encoding as in the membership index.
 */
export const encodeFrozen = (chunks: readonly MemberChunk[]): Uint8Array =>
  Buffer.concat([
    MAGIC,
    ...chunks.flatMap(({ base, bits }) => {
      const encoded = encodeChunk(bits);
      const head = Buffer.alloc(HEAD_BYTES);
      head.writeUIntBE(base / ORDINALS_PER_CHUNK, 0, INDEX_BYTES);
      head.writeUInt16BE(encoded.length, INDEX_BYTES);
      return [head, encoded];
    }),
  ]);

/** Stores a set as an object. Returns its key. */
export const storeFrozen = async (
  files: Pick<ObjectStore, 'put'>,
  key: string,
  set: readonly MemberChunk[],
): Promise<string> => {
  await files.put(key, encodeFrozen(set));
  return key;
};

type EncodedChunk = readonly [base: number, chunk: Uint8Array];

/** The chunks of a set, not decoded yet. Throws for bytes of another form. */
function* encodedChunks(encoded: Uint8Array): Generator<EncodedChunk, void> {
  const bytes = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error('exports: not a frozen set');
  for (let at = MAGIC.length; at < bytes.length;) {
    const from = at + HEAD_BYTES;
    const to = from > bytes.length ? from : from + bytes.readUInt16BE(at + INDEX_BYTES);
    if (to > bytes.length) throw new Error('exports: a frozen set that is cut short');
    yield [bytes.readUIntBE(at, INDEX_BYTES) * ORDINALS_PER_CHUNK, bytes.subarray(from, to)];
    at = to;
  }
}

/** Decodes the chunks of a set. Throws for bytes of another form. */
export const decodeFrozen = (encoded: Uint8Array): readonly MemberChunk[] =>
  Array.from(encodedChunks(encoded), ([base, chunk]) => ({ base, bits: decodeChunk(chunk) }));

/**
 * Whether a frozen set may have one of these members: so may a set that is gone or damaged. Decodes only the chunks that
 * could have them.
 */
export const mayHold = (set: Uint8Array | undefined, ordinals: readonly number[]): boolean => {
  if (!set) return true;
  const offsets = Map.groupBy(ordinals, (ordinal) => ordinal - (ordinal % ORDINALS_PER_CHUNK));
  const hasOne = ([base, chunk]: EncodedChunk): boolean => {
    const wanted = offsets.get(base);
    if (!wanted) return false;
    const bits = decodeChunk(chunk);
    return wanted.some((ordinal) => hasBit(bits, ordinal - base));
  };
  try {
    return encodedChunks(set).some(hasOne);
  } catch {
    return true;
  }
};

/** Keys of the frozen sets of all who may have a row in the file of a job. */
export const candidateKeys = ({
  members_key,
  base,
}: Pick<ExportPlan, 'members_key' | 'base'>): readonly string[] =>
  [members_key, base?.members_key, base?.uncertain_key].filter((key) => typeof key === 'string');

/** Ordinals, ascending, as a set. */
export const setOf = (ordinals: readonly number[]): readonly MemberChunk[] =>
  [...Map.groupBy(ordinals, (ordinal) => ordinal - (ordinal % ORDINALS_PER_CHUNK))].map(([base, own]) => ({
    base,
    bits: bitsOf(own.map((ordinal) => ordinal - base)),
  }));

/** Whether an ordinal is a member. */
export type HasMember = (ordinal: number) => boolean;

/** A membership test for a set. */
export const memberTest = (chunks: readonly MemberChunk[]): HasMember => {
  const byBase = new Map(chunks.map(({ base, bits }) => [base, bits]));
  return (ordinal) => {
    const offset = ordinal % ORDINALS_PER_CHUNK;
    const bits = byBase.get(ordinal - offset);
    return bits !== undefined && hasBit(bits, offset);
  };
};

type Combine = (one: readonly MemberChunk[], other: readonly MemberChunk[]) => readonly MemberChunk[];

const combined =
  (combine: (a: Bits, b: Bits) => Bits): Combine =>
  (one, other) => {
    const joined = new Map<number, Bits>(one.map(({ base, bits }) => [base, bits]));
    for (const { base, bits } of other) {
      const known = joined.get(base);
      joined.set(base, known ? combine(known, bits) : bits);
    }
    return [...joined]
      .filter(([, bits]) => !isEmpty(bits))
      .sort(([a], [b]) => a - b)
      .map(([base, bits]) => ({ base, bits }));
  };

/** The members of two sets, each once. */
export const unionOf = combined(or);

/** The members of either of two sets that are not in both. */
export const symmetricDifferenceOf = combined(xor);

/** The members of a set who are not in another one. */
export const without: Combine = (one, other) => symmetricDifferenceOf(unionOf(one, other), other);

/** Number of members. */
export const cardinality = (chunks: readonly MemberChunk[]): number =>
  chunks.reduce((sum, { bits }) => sum + countBits(bits), 0);

/** Members number `from` to `to` (exclusive, from 0) of the set, ascending. */
export function* ordinalsBetween(
  chunks: readonly MemberChunk[],
  from: number,
  to: number,
): Generator<number, void> {
  let rank = 0;
  for (const { base, bits } of chunks) {
    if (rank >= to) return;
    const count = countBits(bits);
    if (rank + count > from)
      for (const offset of offsetsFrom(bits).slice(Math.max(from - rank, 0), to - rank)) yield base + offset;
    rank += count;
  }
}
