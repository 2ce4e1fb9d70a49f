/** Encoding evidence: what the bytes of a file say about its encoding, as it is stored between two pieces of work. */
import * as v from 'valibot';

const whole = v.pipe(v.number(), v.safeInteger());
const byteAt = v.nullable(v.object({ offset: whole, byte: whole }));

/** The schema of stored evidence. */
export const encodingEvidence = v.object({
  /** The bytes before this offset are counted. A character starts there. */
  offset: whole,
  /** Whether a long word, of which the start was looked at, goes on at this offset. */
  inside: v.boolean(),
  /** Characters of several bytes that are well-formed UTF-8. */
  sequences: whole,
  /** Bytes that are not UTF-8, and the first of them. */
  contradictions: whole,
  contradiction: byteAt,
  /** The first byte that has no character in Windows-1252. */
  unassigned: byteAt,
  /** Words with bytes that are not UTF-8, as the bytes of Latin-1. */
  words: v.array(v.string()),
  /** Those of them that Western European words hardly look like, of which a file may have few. */
  oddWords: v.array(v.string()),
});

/** What the bytes of a file up to an offset say about its encoding. */
export type EncodingEvidence = Readonly<v.InferOutput<typeof encodingEvidence>>;

/** The evidence before the first byte of a file. */
export const noEvidence: EncodingEvidence = {
  offset: 0,
  inside: false,
  sequences: 0,
  contradictions: 0,
  contradiction: null,
  unassigned: null,
  words: [],
  oddWords: [],
};
