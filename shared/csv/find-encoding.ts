/** Find encoding: what the first bytes of a file prove about its encoding, for the inspection of files. */
import { err, ok, type Result } from '../runtime/result.ts';
import { decode } from './decode.ts';
import { type Encoding, encodingAliases, type EncodingName, encodings } from './dialect.ts';

const marks: readonly (readonly [readonly number[], Encoding])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0x84, 0x31, 0x95, 0x33], 'gb18030'],
];

/** The byte order mark at the start of a file, if any: its encoding and its length. */
export const byteOrderMark = (
  bytes: Uint8Array,
): { readonly encoding: Encoding; readonly length: number } | undefined => {
  const found = marks.find(([mark]) => mark.every((byte, index) => bytes[index] === byte));
  return found && { encoding: found[1], length: found[0].length };
};

/** The encoding that the first bytes of a file prove: by a byte order mark, or by the line breaks of UTF-16. */
const provenEncoding = (start: Buffer): Encoding | undefined =>
  byteOrderMark(start)?.encoding ?? utf16Of(start);

/** The encodings that a definition names without a question to the file. */
const fixed = new Map<string, Encoding>([
  ...encodings.map((encoding) => [encoding, encoding] as const),
  ...encodingAliases,
]);

/** The encoding of the byte order mark that a file in an encoding may have. */
export const markedAs = (encoding: Encoding): Encoding => (encoding === 'utf-8-twice' ? 'utf-8' : encoding);

/**
 * The encoding of a file whose definition names `name`. `null` means UTF-8 or Windows-1252: only the bytes of the whole
 * file can tell (`EncodingProof`). Fails when the file has another encoding, with the encoding that the file proves, or
 * with `undefined` when nothing proves the byte order of UTF-16.
 */
export const encodingOf = (
  start: Buffer,
  name: EncodingName,
): Result<Encoding | null, Encoding | undefined> => {
  const proven = provenEncoding(start);
  const named = fixed.get(name);
  if (named !== undefined)
    return proven === undefined || proven === markedAs(named) ? ok(named) : err(proven);
  if (name === 'auto') return ok(proven ?? null);
  return proven === 'utf-16le' || proven === 'utf-16be' ? ok(proven) : err(proven);
};

const NUL = 0x00;
const LF = 0x0a;
const CR = 0x0d;

/**
 * The byte order of UTF-16 without a byte order mark, if these bytes prove it: the header contains NUL bytes, all line
 * breaks are whole units of one byte order, and the bytes are well-formed text without U+0000 in this order.
 */
const utf16Of = (start: Buffer): 'utf-16le' | 'utf-16be' | undefined => {
  const nul = start.indexOf(NUL);
  const lineEnd = start.indexOf(LF);
  // In UTF-16LE the NUL of the first line break follows the LF. A later NUL is a stray character of another encoding.
  if (nul === -1 || (lineEnd !== -1 && nul > lineEnd + 1)) return undefined;
  const little = hasLineBreak(start, (low, high) => high === NUL && isLineBreak(low));
  const big = hasLineBreak(start, (high, low) => high === NUL && isLineBreak(low));
  if (little === big) return undefined;
  const encoding = little ? 'utf-16le' : 'utf-16be';
  const text = decode(wholeCharacters(start, encoding), encoding);
  return text === undefined || text.includes('\0') ? undefined : encoding;
};

const isLineBreak = (byte: number | undefined): boolean => byte === LF || byte === CR;

const hasLineBreak = (
  bytes: Buffer,
  isBreak: (first: number | undefined, second: number | undefined) => boolean,
): boolean => {
  for (let at = 0; at + 1 < bytes.length; at += 2) if (isBreak(bytes[at], bytes[at + 1])) return true;
  return false;
};

/** The bytes without a character that is cut at their end. */
const wholeCharacters = (bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): Buffer => {
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
  const high = even[even.length - (encoding === 'utf-16le' ? 1 : 2)] ?? 0;
  return high >= 0xd8 && high <= 0xdb ? even.subarray(0, -2) : even;
};
