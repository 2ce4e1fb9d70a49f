const BITS_PER_CHARACTER = 6;

/** The characters of a word in base64 that don't depend on its neighbours, when it begins so many bytes after a group. */
const inBase64 = (word: Buffer, offset: number): string => {
  const text = Buffer.concat([Buffer.alloc(offset), word]).toString('base64');
  const from = Math.ceil((offset * 8) / BITS_PER_CHARACTER);
  return text.slice(from, Math.floor(((offset + word.length) * 8) / BITS_PER_CHARACTER));
};

/** Tells whether bytes hold a word: as UTF-8 or UTF-16, in hexadecimal, or in base64 wherever it begins. */
export const traceFinder = (word: string): ((bytes: Uint8Array | string) => boolean) => {
  const utf8 = Buffer.from(word);
  const texts = [utf8.toString('hex'), ...[0, 1, 2].map((offset) => inBase64(utf8, offset))];
  const forms = [utf8, Buffer.from(word, 'utf16le'), ...texts.map((text) => Buffer.from(text))];
  return (bytes) => {
    const searched = Buffer.from(bytes);
    return forms.some((form) => searched.includes(form));
  };
};
