/** How the bytes of a file are to be read, all of it known before its first data row: nothing is guessed twice. */
export interface Dialect {
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
  /**
   * What ends a row: `lf` reads LF and CRLF, and a CR alone is data; `cr` (a file whose header ends with a CR alone)
   * reads all three.
   */
  readonly newline: 'lf' | 'cr';
}

/** Encodings a definition may name. `latin1` is read as Windows-1252, its superset, as browsers do. */
export const encodings = ['utf-8', 'latin1', 'utf-16le'] as const;
export type Encoding = (typeof encodings)[number];

/** Delimiters a definition may name. */
export const delimiterNames = ['comma', 'tab', 'pipe'] as const;
export type Delimiter = (typeof delimiterNames)[number];
/** The character of each delimiter. */
export const delimiters: Readonly<Record<Delimiter, string>> = { comma: ',', tab: '\t', pipe: '|' };

/** Bytes of one character of the syntax (quote, delimiter, newline) in an encoding. */
export const unitBytes = (encoding: Encoding): 1 | 2 => (encoding === 'utf-16le' ? 2 : 1);

const marks: readonly (readonly [readonly number[], Encoding | 'utf-16be'])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** The byte order mark at the start of a file, if any: what it says and how long it is. */
export const byteOrderMark = (
  bytes: Uint8Array,
): { readonly encoding: Encoding | 'utf-16be'; readonly length: number } | undefined => {
  const found = marks.find(([mark]) => mark.every((byte, index) => bytes[index] === byte));
  return found && { encoding: found[1], length: found[0].length };
};
