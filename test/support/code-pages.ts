/** Code pages: encodes texts in them, because Node only decodes them. */
import { decode } from '../../shared/csv/decode.ts';
import { type CodePage, isDosCodePage } from '../../shared/csv/dialect.ts';

export interface Encoder {
  /** Characters of the code page above ASCII. */
  readonly characters: readonly string[];
  /** Throws for a character that the code page does not have. */
  readonly encode: (text: string) => Buffer;
}

/** All bytes and pairs of bytes that may be a character. */
const candidates = function* (): Generator<Uint8Array> {
  for (let first = 0x80; first < 0x100; first += 1) yield Uint8Array.of(first);
  for (let first = 0x80; first < 0x100; first += 1)
    for (let second = 0x40; second < 0x100; second += 1) yield Uint8Array.of(first, second);
};

/** An encoder by the table of `TextDecoder`, or for DOS by our own: each character is encoded as the first bytes that decode to it. */
export const encoderOf = (codePage: CodePage): Encoder => {
  const decoder = isDosCodePage(codePage)
    ? { decode: (bytes: Uint8Array) => decode(Buffer.from(bytes), codePage) }
    : new TextDecoder(codePage, { fatal: true });
  const table = new Map<string, Uint8Array>();
  for (const bytes of candidates()) {
    const character = decodedBy(decoder, bytes);
    if (character?.length === 1 && !table.has(character)) table.set(character, bytes);
  }
  return {
    characters: [...table.keys()].filter((character) => /[\p{L}\p{M}\p{N}\p{P}]/u.test(character)),
    encode: (text) =>
      Buffer.concat(
        Array.from(text, (character) => {
          if (character < '\u0080') return Buffer.from(character);
          const bytes = table.get(character);
          if (!bytes) throw new Error(`${codePage} has no ${character}`);
          return bytes;
        }),
      ),
  };
};

const decodedBy = (decoder: { decode: (bytes: Uint8Array) => string | undefined }, bytes: Uint8Array) => {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
};
