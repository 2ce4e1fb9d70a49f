/** Reads a text that a spreadsheet saved. */

/** The encodings in which spreadsheets save CSV. */
export type TextEncoding = 'utf-8' | 'utf-16' | 'windows-1252';

/** A text without its byte order mark, and the encoding that its bytes showed. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: TextEncoding;
}

/**
 * Reads the bytes of a file: as UTF-16 with a byte order mark ("Unicode text"), as UTF-8 if they are UTF-8 ("CSV UTF-8"),
 * and otherwise as Windows-1252 (plain "CSV" in Western Europe).
 */
export const decodeText = (bytes: Uint8Array): DecodedText => {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe)
    return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'utf-16' };
  if (first === 0xfe && second === 0xff)
    return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'utf-16' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
  }
};
