/** Wrong bytes: explains why a row is not text in its encoding, for refused rows and headers. */
import { decode, decodeLossy } from './decode.ts';
import { delimiters, type Dialect, type Encoding, isCodePage } from './dialect.ts';
import { EncodingProof, noEvidence, provenBy } from './encoding-proof.ts';
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
}

const REPLACEMENT = '\ufffd';

/** Finds the first place at which a row, without its line break, is not text in its encoding. */
export const wrongBytes = (row: Buffer, dialect: Omit<Dialect, 'newline'>): WrongBytes => {
  const { encoding } = dialect;
  const evidence = encoding === 'utf-8' || encoding === 'utf-8-twice' ? proofOf(row) : null;
  if (!evidence?.contradiction) {
    const isCut = !isCodePage(encoding) && row.length % 2 === 1;
    const text = decodeLossy(row, encoding) + (isCut ? REPLACEMENT : '');
    return { cell: cellAt(text, dialect), encoding, byte: null, windows1252: null };
  }
  const { offset, byte } = evidence.contradiction;
  const text = row.toString('latin1');
  return {
    // In place of the byte, the text has a character that no byte decodes to.
    cell: cellAt(text.slice(0, offset) + REPLACEMENT + text.slice(offset + 1), dialect),
    encoding,
    byte,
    windows1252: provenBy(evidence).ok ? (decode(Buffer.of(byte), 'windows-1252') ?? null) : null,
  };
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
export const wrongBytesMessage = ({ byte, encoding, windows1252 }: WrongBytes): string => {
  if (isCodePage(encoding)) return `It has bytes that are no character in ${encoding}.`;
  if (byte === null) return 'It has half a character of UTF-16. The file was cut or damaged.';
  const shown = `Byte 0x${byte.toString(16).toUpperCase()} is not UTF-8`;
  return windows1252 === null
    ? `${shown}.`
    : `${shown}. In Windows-1252 it is ${JSON.stringify(windows1252)}: set \`encoding\` to windows-1252 or auto.`;
};
