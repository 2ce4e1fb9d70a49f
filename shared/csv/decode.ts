import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { mendTwice } from './decoded-twice.ts';
import { type CodePage, type DosCodePage, type Encoding, isCodePage, isDosCodePage } from './dialect.ts';

/**
 * The characters of Windows-1252 in place of the C1 controls of ISO 8859-1. Five bytes without a character stay
 * controls.
 */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const C1_START = 0x80;
const c1 = /[\u0080-\u009f]/g;

/**
 * The characters of the bytes above ASCII in the code pages of DOS. Source: CP437.TXT, CP850.TXT and CP852.TXT in
 * https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/PC/. Every byte has a character.
 */
const dosCharacters: Readonly<Record<DosCodePage, string>> = {
  ibm437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
    '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  ibm850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
    '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  ibm852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐' +
    '└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
};
const ABOVE_ASCII = 0x80;
const aboveAscii = /[\u0080-\u00ff]/g;

/** Decodes bytes; `undefined` when they are not text in this encoding. Never inserts U+FFFD. */
export const decode = (bytes: Buffer, encoding: Encoding): string | undefined => {
  if (encoding === 'utf-8') return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
  if (encoding === 'windows-1252' || isDosCodePage(encoding)) return decodeLossy(bytes, encoding);
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
  if (isDosCodePage(encoding)) return ofDos(bytes, encoding);
  if (encoding !== 'windows-1252') return decoderOf(encoding, false).decode(bytes);
  return bytes.toString('latin1').replace(c1, (char) => WINDOWS_1252[char.charCodeAt(0) - C1_START] ?? char);
};

const ofDos = (bytes: Buffer, codePage: DosCodePage): string => {
  const characters = dosCharacters[codePage];
  return bytes
    .toString('latin1')
    .replace(aboveAscii, (char) => characters[char.charCodeAt(0) - ABOVE_ASCII] ?? char);
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
