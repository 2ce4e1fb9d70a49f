import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { mendTwice } from './decoded-twice.ts';
import { type CodePage, type Encoding, isCodePage } from './dialect.ts';

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
  if (isCodePage(encoding)) return strictly(bytes, encoding);
  if (encoding === 'utf-8-twice') return isUtf8(bytes) ? mendTwice(bytes.toString('utf8')) : undefined;
  if (bytes.length % 2 === 1) return undefined;
  const text = utf16(bytes, encoding);
  return text.isWellFormed() ? text : undefined;
};

/** Decodes bytes for a report, with U+FFFD in place of invalid bytes. */
export const decodeLossy = (bytes: Buffer, encoding: Encoding): string => {
  if (encoding === 'utf-8') return bytes.toString('utf8');
  if (encoding === 'utf-8-twice') return mendTwice(bytes.toString('utf8'));
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return utf16(bytes, encoding).toWellFormed();
  if (encoding !== 'windows-1252') return decoderOf(encoding, false).decode(bytes);
  return bytes.toString('latin1').replace(c1, (char) => WINDOWS_1252[char.charCodeAt(0) - C1_START] ?? char);
};

/** Decodes whole units of UTF-16, surrogates as they are. Drops an odd byte at the end. */
const utf16 = (bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): string =>
  encoding === 'utf-16le'
    ? bytes.toString('utf16le')
    : Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
        .swap16()
        .toString('utf16le');

const strictly = (bytes: Buffer, codePage: CodePage): string | undefined => {
  try {
    return decoderOf(codePage, true).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
};

/** A decoder is made once, because that takes longer than to decode a row. */
const decoders = new Map<string, TextDecoder>();

const decoderOf = (codePage: CodePage, fatal: boolean): TextDecoder => {
  const key = `${codePage} ${fatal}`;
  const known = decoders.get(key);
  if (known) return known;
  const made = new TextDecoder(codePage, { fatal, ignoreBOM: true });
  decoders.set(key, made);
  return made;
};
