/** Encoding proof: tells UTF-8 from Windows-1252 by all bytes of a file, in constant memory. */
import { isAscii, isUtf8 } from 'node:buffer';
import * as v from 'valibot';
import { err, ok, type Result } from '../runtime/result.ts';
import type { Encoding } from './dialect.ts';

const whole = v.pipe(v.number(), v.safeInteger());
const byteAt = v.nullable(v.object({ offset: whole, byte: whole }));

/** The schema of stored evidence. */
export const encodingEvidence = v.object({
  /** The bytes before this offset are counted. A character starts there. */
  offset: whole,
  /** Characters of several bytes that are well-formed UTF-8. */
  sequences: whole,
  /** Bytes that are not UTF-8, and the first of them. */
  contradictions: whole,
  contradiction: byteAt,
  /** The first byte that has no character in Windows-1252. */
  unassigned: byteAt,
});

/** What the bytes of a file up to an offset say about its encoding. */
export type EncodingEvidence = Readonly<v.InferOutput<typeof encodingEvidence>>;

/** The evidence before the first byte of a file. */
export const noEvidence: EncodingEvidence = {
  offset: 0,
  sequences: 0,
  contradictions: 0,
  contradiction: null,
  unassigned: null,
};

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

/** Collects evidence from the bytes of a file, in pieces of any size. */
export class EncodingProof {
  #evidence: EncodingEvidence;
  /** The start of a character that the next piece completes. */
  #open: Buffer = Buffer.alloc(0);

  /** Continues behind the offset of `evidence`. */
  constructor(evidence: EncodingEvidence) {
    this.#evidence = evidence;
  }

  /** The evidence of all whole characters so far. Another proof can continue from it. */
  get evidence(): EncodingEvidence {
    return this.#evidence;
  }

  /** Adds the next bytes of the file. */
  push(bytes: Uint8Array): void {
    const all = Buffer.concat([this.#open, bytes]);
    const end = all.length - openBytes(all);
    this.#add(all.subarray(0, end));
    this.#open = all.subarray(end);
  }

  /** Ends the file, and returns all its evidence. */
  finish(): EncodingEvidence {
    this.#add(this.#open);
    this.#open = Buffer.alloc(0);
    return this.#evidence;
  }

  #add(bytes: Buffer): void {
    const { offset, sequences, contradictions, contradiction, unassigned } = this.#evidence;
    const next = offset + bytes.length;
    if (isAscii(bytes)) {
      this.#evidence = { ...this.#evidence, offset: next };
      return;
    }
    const found = isUtf8(bytes) ? { sequences: leadBytes(bytes), contradictions: 0 } : count(bytes);
    this.#evidence = {
      offset: next,
      sequences: sequences + found.sequences,
      contradictions: contradictions + found.contradictions,
      contradiction: contradiction ?? byteOf(bytes, found.first ?? -1, offset),
      unassigned: unassigned ?? byteOf(bytes, firstUnassigned(bytes), offset),
    };
  }
}

/**
 * The encoding that the evidence of a whole file proves. Without a contradiction the file is UTF-8. Otherwise the file is
 * Windows-1252 if all bytes have a character there, unless more of its characters are UTF-8 than bytes are not: then the
 * file mixes encodings, and Windows-1252 would turn all of these characters into wrong ones. Fails with the first byte
 * that neither encoding explains.
 */
export const provenBy = ({
  sequences,
  contradictions,
  contradiction,
  unassigned,
}: EncodingEvidence): Result<Encoding, { readonly offset: number; readonly byte: number }> => {
  if (contradiction === null) return ok('utf-8');
  if (unassigned === null && sequences <= contradictions) return ok('windows-1252');
  return err(contradiction);
};

/** Whether no further byte of the file can change what `provenBy` says. */
export const isSettled = ({ contradiction, unassigned }: EncodingEvidence): boolean =>
  contradiction !== null && unassigned !== null;

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
