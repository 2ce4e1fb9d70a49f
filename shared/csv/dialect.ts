/** CSV dialect: how to parse the bytes of a file. It is fixed before the first data row. */
export interface Dialect {
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
  /**
   * Line breaks between rows. `lf` accepts LF and CRLF, and a lone CR is data. `cr`, for a file whose header ends with
   * a lone CR, accepts LF, CRLF and CR.
   */
  readonly newline: 'lf' | 'cr';
}

/** Encodings that a definition may name. `latin1` is read as Windows-1252, its superset, as browsers do. */
export const encodings = ['utf-8', 'latin1', 'utf-16le'] as const;
export type Encoding = (typeof encodings)[number];

/** Delimiters that a definition may name. */
export const delimiterNames = ['comma', 'tab', 'pipe', 'semicolon'] as const;
export type Delimiter = (typeof delimiterNames)[number];

/** The character of each delimiter. */
export const delimiters: Readonly<Record<Delimiter, string>> = {
  comma: ',',
  tab: '\t',
  pipe: '|',
  semicolon: ';',
};
