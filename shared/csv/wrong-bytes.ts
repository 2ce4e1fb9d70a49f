/** Wrong bytes: explains why a row is not text in its encoding, for refused rows and headers. */
import { decode, decodeLossy } from './decode.ts';
import { type CodePage, delimiters, type Dialect, type Encoding, isCodePage } from './dialect.ts';
import { type EncodingEvidence, noEvidence } from './encoding-evidence.ts';
import { EncodingProof } from './encoding-proof.ts';
import { findCodePage, iconv } from './find-code-page.ts';
import { parseRow } from './parse-row.ts';

/** The first place at which a row is not text in its encoding. */
export interface WrongBytes {
  /** The index of the cell; `undefined` when the row does not parse. */
  readonly cell: number | undefined;
  /** The byte that is not UTF-8; `null` in another encoding. */
  readonly byte: number | null;
  /** The encoding of the file. */
  readonly encoding: Encoding;
  /** The character of this byte in Windows-1252, if the row is text there. */
  readonly windows1252: string | null;
  /** The code page that the letters of the row show, if it is another one. */
  readonly likely: CodePage | null;
}

const REPLACEMENT = '\ufffd';

/** Finds the first place at which a row, without its line break, is not text in its encoding. */
export const wrongBytes = (row: Buffer, dialect: Omit<Dialect, 'newline'>): WrongBytes => {
  const { encoding } = dialect;
  const evidence = encoding === 'utf-8' || encoding === 'utf-8-twice' ? proofOf(row) : null;
  if (!evidence?.contradiction) {
    const isCut = !isCodePage(encoding) && row.length % 2 === 1;
    const text = decodeLossy(row, encoding) + (isCut ? REPLACEMENT : '');
    return { cell: cellAt(text, dialect), encoding, byte: null, windows1252: null, likely: null };
  }
  const { offset, byte } = evidence.contradiction;
  const text = row.toString('latin1');
  return {
    // In place of the byte, the text has a character that no byte decodes to.
    cell: cellAt(text.slice(0, offset) + REPLACEMENT + text.slice(offset + 1), dialect),
    encoding,
    byte,
    ...readingsOf(evidence, byte),
  };
};

/** What a row shows about its encoding. One row has few letters, so that Windows-1252 only has to be possible. */
const readingsOf = (evidence: EncodingEvidence, byte: number): Pick<WrongBytes, 'windows1252' | 'likely'> => {
  const { codePage, certainty } = findCodePage(evidence.words);
  if (certainty === 'wordless') return { windows1252: null, likely: null };
  const isWestern = evidence.unassigned === null && evidence.sequences <= evidence.contradictions;
  // A single byte may be damage.
  const isWord = evidence.contradictions > 1 && evidence.sequences <= evidence.contradictions;
  if (codePage !== 'windows-1252') return { windows1252: null, likely: isWord ? codePage : null };
  return { windows1252: isWestern ? (decode(Buffer.of(byte), codePage) ?? null) : null, likely: null };
};

const proofOf = (row: Buffer) => {
  const proof = new EncodingProof(noEvidence);
  proof.push(row);
  return proof.finish();
};

const cellAt = (
  text: string,
  { delimiter, trim }: Pick<Dialect, 'delimiter' | 'trim'>,
): number | undefined => {
  const cells = parseRow(text, delimiters[delimiter], trim);
  const index = cells.ok ? cells.value.findIndex((cell) => cell.includes(REPLACEMENT)) : -1;
  return index === -1 ? undefined : index;
};

/**
 * A sentence about these bytes, for a client. It shows one character at most, and the encoding to set where the row is
 * text in Windows-1252.
 */
export const wrongBytesMessage = ({ byte, encoding, windows1252, likely }: WrongBytes): string => {
  if (isCodePage(encoding)) return `It has bytes that are no character in ${encoding}.`;
  if (byte === null) return 'It has half a character of UTF-16. The file was cut or damaged.';
  const shown = `Byte 0x${byte.toString(16).toUpperCase()} is not UTF-8`;
  if (likely)
    return `${shown}. These bytes look like ${likely}. Set \`encoding\` to ${likely} or auto, or save the file as UTF-8: ${iconv(likely)}.`;
  return windows1252 === null
    ? `${shown}.`
    : `${shown}. In Windows-1252 it is ${JSON.stringify(windows1252)}: set \`encoding\` to windows-1252 or auto.`;
};
