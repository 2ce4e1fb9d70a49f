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

/** A byte that is not part of well-formed UTF-8 (Unicode Standard, table 3-7), as group 1. Bytes are Latin-1 characters. */
const utf8OrByte =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|([\x80-\xff])/g;

/** The bytes without a character in Windows-1252. */
const UNASSIGNED = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

/** The smallest first byte of a character of two bytes. Smaller bytes above ASCII continue a character. */
const FIRST_LEAD = 0xc2;

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
  for (const { 1: byte, index } of bytes.toString('latin1').matchAll(utf8OrByte)) {
    if (byte === undefined) {
      sequences += 1;
    } else {
      contradictions += 1;
      first ??= index;
    }
  }
  return { sequences, contradictions, first };
};

const leadBytes = (bytes: Buffer): number => {
  let found = 0;
  for (const byte of bytes) if (byte >= FIRST_LEAD) found += 1;
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
