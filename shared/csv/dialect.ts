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

/** Encodings of Unicode. In `utf-8-twice`, UTF-8 was read in a code page and then written as UTF-8: `KÃ¤the`. */
const unicode = ['utf-8', 'utf-8-twice', 'utf-16le', 'utf-16be'] as const;

/** Code pages of DOS, in which old databases and cash registers still write. `TextDecoder` does not know them. */
const dos = ['ibm437', 'ibm850', 'ibm852'] as const;

/** Code pages with one byte for each character. Windows-1252 stands for ISO 8859-1 too, its subset, as in browsers. */
const singleByte = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'iso-8859-2',
  'iso-8859-3',
  'iso-8859-4',
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'iso-8859-8',
  'iso-8859-10',
  'iso-8859-13',
  'iso-8859-14',
  'iso-8859-15',
  'iso-8859-16',
  'macintosh',
  'x-mac-cyrillic',
  'koi8-r',
  'koi8-u',
  'ibm866',
  ...dos,
] as const;

/** Code pages with one byte or more for each character. */
const multiByte = ['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'] as const;

/** Code pages, as `TextDecoder` or IANA names them. */
export const codePages = [...singleByte, ...multiByte] as const;
export type CodePage = (typeof codePages)[number];
export type DosCodePage = (typeof dos)[number];

/** Encodings of files. */
export const encodings = [...unicode, ...codePages] as const;
export type Encoding = (typeof encodings)[number];

const codePageSet: ReadonlySet<string> = new Set(codePages);

/** Whether an encoding is a code page, and not Unicode. */
export const isCodePage = (encoding: Encoding): encoding is CodePage => codePageSet.has(encoding);

const dosSet: ReadonlySet<string> = new Set(dos);

/** Whether an encoding is a code page of DOS. */
export const isDosCodePage = (encoding: Encoding): encoding is DosCodePage => dosSet.has(encoding);

const singleByteSet: ReadonlySet<string> = new Set(singleByte);

/** Whether each byte of an encoding is one character. */
export const isSingleByte = (encoding: Encoding): boolean => singleByteSet.has(encoding);

/** Other names of code pages, each with the code page that has all its characters. */
export const encodingAliases = [
  ['latin1', 'windows-1252'],
  ['iso-8859-1', 'windows-1252'],
  ['cp1252', 'windows-1252'],
  ['cp1250', 'windows-1250'],
  ['cp1251', 'windows-1251'],
  ['cp1253', 'windows-1253'],
  ['cp1254', 'windows-1254'],
  ['cp1255', 'windows-1255'],
  ['cp1256', 'windows-1256'],
  ['cp1257', 'windows-1257'],
  ['cp1258', 'windows-1258'],
  ['cp874', 'windows-874'],
  ['tis-620', 'windows-874'],
  ['iso-8859-11', 'windows-874'],
  ['latin2', 'iso-8859-2'],
  ['latin5', 'windows-1254'],
  ['iso-8859-9', 'windows-1254'],
  ['latin9', 'iso-8859-15'],
  ['cp437', 'ibm437'],
  ['cp850', 'ibm850'],
  ['cp852', 'ibm852'],
  ['cp866', 'ibm866'],
  ['mac-roman', 'macintosh'],
  ['sjis', 'shift_jis'],
  ['shift-jis', 'shift_jis'],
  ['cp932', 'shift_jis'],
  ['gbk', 'gb18030'],
  ['gb2312', 'gb18030'],
  ['cp936', 'gb18030'],
  ['cp949', 'euc-kr'],
  ['cp950', 'big5'],
] as const;

/**
 * Encodings that a definition may name. An alias is read as its code page. For `utf-16`, the file shows the byte order.
 * For `auto`, the bytes of the whole file prove the encoding.
 */
export const encodingNames = [
  'auto',
  ...unicode,
  'utf-16',
  ...codePages,
  ...encodingAliases.map(([alias]) => alias),
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
