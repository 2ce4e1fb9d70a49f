/** CSV dialect: how to parse the bytes of a file. It is fixed before the first data row. */
export interface Dialect {
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
  /**
   * Line breaks between rows. `lf` accepts LF and CRLF, and a lone CR is data. `cr`, for a file whose header ends with a lone
   * CR, accepts LF, CRLF and CR.
   */
  readonly newline: 'lf' | 'cr';
}

/** Encodings that a definition may name. `latin1` is read as Windows-1252, its superset, as browsers do. */
export const encodings = ['utf-8', 'latin1', 'utf-16le'] as const;
export type Encoding = (typeof encodings)[number];

/** Delimiters that a definition may name. */
export const delimiterNames = ['comma', 'tab', 'pipe'] as const;
export type Delimiter = (typeof delimiterNames)[number];
/** The character of each delimiter. */
export const delimiters: Readonly<Record<Delimiter, string>> = { comma: ',', tab: '\t', pipe: '|' };

/** Number of bytes of a syntax character (quote, delimiter, newline) in an encoding. */
export const unitBytes = (encoding: Encoding): 1 | 2 => (encoding === 'utf-16le' ? 2 : 1);

const marks: readonly (readonly [readonly number[], Encoding | 'utf-16be'])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** The byte order mark at the start of a file, if any: its encoding and its length. */
export const byteOrderMark = (
  bytes: Uint8Array,
): { readonly encoding: Encoding | 'utf-16be'; readonly length: number } | undefined => {
  const found = marks.find(([mark]) => mark.every((byte, index) => bytes[index] === byte));
  return found && { encoding: found[1], length: found[0].length };
};
