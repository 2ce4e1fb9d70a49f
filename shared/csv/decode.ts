import { isUtf8 } from 'node:buffer';
import type { Encoding } from './dialect.ts';

/**
 * The characters of Windows-1252 in place of the C1 controls of ISO 8859-1. Five bytes without a character stay
 * controls.
 */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const C1_START = 0x80;
const c1 = /[\u0080-\u009f]/g;

/** Decodes bytes; `undefined` when they are not text in this encoding. Never inserts U+FFFD. */
export const decode = (bytes: Buffer, encoding: Encoding): string | undefined => {
  if (encoding === 'utf-8') return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
  if (encoding === 'windows-1252') return decodeLossy(bytes, encoding);
  if (bytes.length % 2 === 1) return undefined;
  const text = utf16(bytes, encoding);
  return text.isWellFormed() ? text : undefined;
};

/** Decodes bytes for a report, with U+FFFD in place of invalid bytes. */
export const decodeLossy = (bytes: Buffer, encoding: Encoding): string => {
  if (encoding === 'utf-8') return bytes.toString('utf8');
  if (encoding !== 'windows-1252') return utf16(bytes, encoding).toWellFormed();
  return bytes.toString('latin1').replace(c1, (char) => WINDOWS_1252[char.charCodeAt(0) - C1_START] ?? char);
};

/** Decodes whole units of UTF-16, surrogates as they are. Drops an odd byte at the end. */
const utf16 = (bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): string =>
  encoding === 'utf-16le'
    ? bytes.toString('utf16le')
    : Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
        .swap16()
        .toString('utf16le');
