/** CSV dialect: how to parse the bytes of a file. It is fixed before the first data row. */
export interface Dialect {
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
  /**
   * Line breaks between rows. `lf` accepts LF and CRLF, and a lone CR is data. `cr`, for a file whose header ends with
   * a lone CR, accepts LF, CRLF and CR.
   */
  readonly newline: 'lf' | 'cr';
  /** Whether white space around a cell, outside its quotes, is no part of the cell. */
  readonly trim: boolean;
}

/** Encodings of files. Windows-1252 stands for ISO 8859-1 too, its subset, as in browsers. */
export const encodings = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const;
export type Encoding = (typeof encodings)[number];

/**
 * Encodings that a definition may name. `latin1` is read as `windows-1252`. For `utf-16`, the file shows the byte order.
 * For `auto`, the bytes of the whole file prove the encoding.
 */
export const encodingNames = [
  'utf-8',
  'latin1',
  'windows-1252',
  'utf-16',
  'utf-16le',
  'utf-16be',
  'auto',
] as const;
export type EncodingName = (typeof encodingNames)[number];

/** Delimiters of files. */
export const delimiterNames = ['comma', 'tab', 'pipe', 'semicolon'] as const;
export type Delimiter = (typeof delimiterNames)[number];

/** Delimiters that a definition may name. For `auto`, the header shows the delimiter. */
export const delimiterChoices = [...delimiterNames, 'auto'] as const;
export type DelimiterChoice = (typeof delimiterChoices)[number];

/** The character of each delimiter. */
export const delimiters: Readonly<Record<Delimiter, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  pipe: '|',
};
