/** Reads a text that a spreadsheet saved. */

/** A text without its byte order mark, and the encoding in which it was read. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
}

/**
 * Reads bytes that say themselves how they are to be read: UTF-16 with a byte order mark ("Unicode text"), and UTF-8
 * ("CSV UTF-8"). Returns undefined for others: plain "CSV" is in the code page of the country.
 */
export const decodeUnicode = (bytes: Uint8Array): DecodedText | undefined => {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decodeAs(bytes, 'utf-16le');
  if (first === 0xfe && second === 0xff) return decodeAs(bytes, 'utf-16be');
  return decodeAs(bytes, 'utf-8');
};

/**
 * Reads bytes in an encoding by its name. Returns undefined for a name that the Encoding Standard of the WHATWG does not
 * have, and for bytes that are no text in the encoding.
 */
export const decodeAs = (bytes: Uint8Array, encoding: string): DecodedText | undefined => {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    return { text: decoder.decode(bytes), encoding: decoder.encoding };
  } catch {
    return undefined;
  }
};
