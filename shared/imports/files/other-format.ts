/** Other format: recognises files that are no CSV, and texts that are no tables, for the inspection of files. */
import { fileFailure } from '../jobs/fail-import.ts';
import type { FileFailure } from '../items/import-job.ts';
import { byteOrderMark } from '../../csv/find-encoding.ts';
import { decodeLossy } from '../../csv/decode.ts';

/** A kind of file, and what to send instead. */
export interface OtherKind {
  readonly what: string;
  readonly remedy: string;
}

/** Characters of a text that are looked at. */
const LOOKED_AT = 4_096;

const CONTACTS = 'Export the contacts as CSV';
const TABLE = 'Send a table as CSV, with a line of column names and a line for each person';

const kinds: readonly (readonly [is: (text: string) => boolean, what: string, remedy: string])[] = [
  [(text) => /^BEGIN:VCARD\s*$/im.test(firstLine(text)), 'a vCard', CONTACTS],
  [(text) => /^BEGIN:VCALENDAR\s*$/i.test(firstLine(text)), 'a calendar (iCalendar)', TABLE],
  [(text) => isLdif(text), 'an LDIF file', CONTACTS],
  [
    (text) => isHtml(text),
    'a web page (HTML), even if it is called .xls',
    'Open it in Excel, and save it as "CSV UTF-8"',
  ],
  [(text) => isXml(text), 'XML', TABLE],
  [
    (text) => /^ID;P/.test(text) && /\r?\n[BCFOP];/.test(text),
    'a SYLK file',
    'Save it as "CSV UTF-8" in Excel',
  ],
  [(text) => isJsonLines(text), 'JSON Lines', `Send the records with \`POST import-data\`, or as CSV`],
  [(text) => isJson(text), 'JSON', `Send the records with \`POST import-data\`, or as CSV`],
  [(text) => isMail(text), 'an e-mail', 'Send the attached file itself'],
  [(text) => /^-----BEGIN [A-Z ]+-----/.test(text), 'a key, a signature or a certificate', TABLE],
];

/** The kind of a text that is no table; `undefined` for all other files. Byte order marks and blanks may stand in front. */
const otherText = (bytes: Buffer): OtherKind | undefined => {
  const encoding = byteOrderMark(bytes)?.encoding ?? 'utf-8';
  // UTF-16 without a mark reads as UTF-8 with NUL characters.
  const text = decodeLossy(bytes.subarray(0, LOOKED_AT), encoding)
    .replaceAll('\0', '')
    .replace(/^[\s\ufeff]+/, '');
  const found = kinds.find(([is]) => is(text));
  return found && { what: found[1], remedy: found[2] };
};

const firstLine = (text: string): string => text.slice(0, 200).split(/[\r\n]/, 1)[0] ?? '';

const isLdif = (text: string): boolean =>
  (/^version: ?1\s*$/.test(firstLine(text)) && /^dn::? /m.test(text)) ||
  (/^dn::? ?[a-z]+=/i.test(text) && /^objectClass: /im.test(text));

const isHtml = (text: string): boolean => /^<(?:!doctype html|html|head|body|table|meta)\b/i.test(text);

/** An element that opens a document; a cell such as `<none>` has no further markup behind it. */
const isXml = (text: string): boolean =>
  /^<\?xml\s/.test(text) || /^<[A-Za-z][\w.:-]*(?:\s[^<>]*)?>\s*<[A-Za-z!?]/.test(text);

/** An object begins with the quoted name of a member and a colon. The quotes of CSV do not follow a brace. */
const isJsonObject = (line: string): boolean => /^\{\s*"[^"\r\n]*"\s*:/.test(line);

const isJsonLines = (text: string): boolean => {
  const [first = '', second = ''] = text.split(/\r?\n/, 2);
  return isJsonObject(first) && first.trimEnd().endsWith('}') && second.startsWith('{');
};

const isJson = (text: string): boolean =>
  isJsonObject(text) || /^\{\s*\}\s*$/.test(text) || /^\[\s*(?:\{\s*["}]|\[|\]\s*$)/.test(text);

/** A mail begins with fields, and the first lines of a table do not. */
const isMail = (text: string): boolean =>
  /^(?:Return-Path|Received|Delivered-To|MIME-Version|From|Subject): /i.test(text) &&
  /^MIME-Version: /im.test(text);

const SAVE_AS = 'Save it as "CSV UTF-8" in Excel';
const ONLY_GZIP = 'Of compressed files, the service reads gzip only';
const EXPORT_TABLE = 'Export the table as CSV';
const DECRYPTED = 'Send the file decrypted';
const NO_TABLE = 'Send the people as CSV';

/** First bytes of formats that are often sent instead of CSV. No text in a supported encoding starts with them. */
const formats: readonly (readonly [start: string, what: string, remedy: string])[] = [
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'an Excel workbook (XLS)', SAVE_AS],
  ['%PDF-', 'a PDF', EXPORT_TABLE],
  ['PAR1\x15', 'a Parquet file', EXPORT_TABLE],
  ['Obj\x01', 'an Avro file', EXPORT_TABLE],
  ['ARROW1\x00', 'an Arrow file', EXPORT_TABLE],
  ['SQLite format 3\x00', 'an SQLite database', EXPORT_TABLE],
  ['\x00\x01\x00\x00Standard ', 'an Access database', EXPORT_TABLE],
  ['!BDN', 'an Outlook data file (PST)', 'Export the contacts as CSV in Outlook'],
  ['{\\rtf', 'an RTF document', 'Save the table as CSV in a spreadsheet program'],
  ['7z\xbc\xaf\x27\x1c', 'a 7z archive', ONLY_GZIP],
  ['Rar!\x1a\x07', 'a RAR archive', ONLY_GZIP],
  ['BZh91AY&SY', 'a bzip2 file', ONLY_GZIP],
  ['\xfd7zXZ\x00', 'an xz file', ONLY_GZIP],
  ['\x28\xb5\x2f\xfd', 'a Zstandard file', ONLY_GZIP],
  ['\x04\x22\x4d\x18', 'an LZ4 file', ONLY_GZIP],
  ['LZIP\x01', 'an lzip file', ONLY_GZIP],
  ['-----BEGIN PGP MESSAGE-----', 'an encrypted PGP message', DECRYPTED],
  ['age-encryption.org/', 'a file encrypted with age', DECRYPTED],
  ['Salted__', 'a file encrypted with OpenSSL', DECRYPTED],
  ['\x89PNG\r\n', 'an image (PNG)', NO_TABLE],
  ['\xff\xd8\xff', 'an image (JPEG)', NO_TABLE],
  ['GIF87a', 'an image (GIF)', NO_TABLE],
  ['GIF89a', 'an image (GIF)', NO_TABLE],
  ['II*\x00', 'an image (TIFF)', NO_TABLE],
  ['MM\x00*', 'an image (TIFF)', NO_TABLE],
];

/** A workbook may begin with an entry of any name, and is a ZIP archive like others then. */
const ZIP_REMEDY = `${ONLY_GZIP}. If it is a spreadsheet, save the sheet as CSV`;

/** First bytes of a ZIP archive; office documents are ZIP archives. */
const ZIP = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'];

/** Names of entries of office documents. They stand uncompressed in the archive, usually in its first bytes. */
const OFFICE: readonly (readonly [entry: string, what: string, remedy: string])[] = [
  ['xl/work', 'an Excel workbook', SAVE_AS],
  ...['[Content_Types].xml', '_rels/.rels', 'docProps/'].map(
    (entry) => [entry, 'an Excel workbook or another Office document', SAVE_AS] as const,
  ),
  ['opendocument.spreadsheet', 'an OpenDocument spreadsheet', 'Save it as CSV (UTF-8)'],
  ['application/vnd.oasis.opendocument', 'an OpenDocument file', 'Save the table as CSV (UTF-8)'],
  ['Index/Document.iwa', 'a document of Numbers', 'Export it as CSV in Numbers'],
];

/** The failure of a file in another format than CSV; `undefined` for all other files. */
export const otherFormat = (bytes: Buffer): FileFailure | undefined => {
  const kind = binaryKind(bytes) ?? otherText(bytes);
  return kind && fileFailure('not_csv', `This file is ${kind.what}, not CSV. ${kind.remedy}.`);
};

const binaryKind = (bytes: Buffer): OtherKind | undefined => {
  const start = bytes.toString('latin1');
  if (ZIP.some((mark) => start.startsWith(mark)))
    return kindOf(OFFICE.find(([entry]) => start.includes(entry)) ?? ['', 'a ZIP archive', ZIP_REMEDY]);
  if (isTar(start)) return { what: 'a tar archive', remedy: `${ONLY_GZIP}. Send the CSV file itself` };
  if (isPgpMessage(bytes)) return { what: 'an encrypted PGP message', remedy: DECRYPTED };
  const found = formats.find(([mark]) => start.startsWith(mark));
  return found && kindOf(found);
};

const kindOf = ([, what, remedy]: readonly [string, string, string]): OtherKind => ({ what, remedy });

/** A tar archive names its format in its first block, behind the name of the first file (POSIX.1-1988). */
const isTar = (start: string): boolean => start.startsWith('ustar', 257) && start.includes('\0');

/** Packets with which an encrypted, signed or compressed message begins (RFC 9580, section 10.3), and their versions. */
const packets: ReadonlyMap<number, readonly number[]> = new Map([
  [1, [3, 6]],
  [3, [4, 5, 6]],
  [4, [3, 6]],
  [8, [1, 2, 3]],
  [9, []],
  [18, [1, 2]],
]);

/**
 * Whether these bytes begin a binary OpenPGP message: a packet of a message with a length that is in the file, and a
 * version that exists. The first byte is above ASCII, and the version is a control character, so no text is taken for one.
 */
const isPgpMessage = (bytes: Buffer): boolean => {
  const [first = 0, length = 0] = bytes;
  if (first < 0x80) return false;
  const isNew = first >= 0xc0;
  const versions = packets.get(isNew ? first & 0x3f : (first >> 2) & 0x0f);
  const at = isNew ? newLengthBytes(length) : oldLengthBytes(first & 0x03);
  const version = bytes[1 + at];
  if (!versions || version === undefined) return false;
  // The oldest kind of message has no version. Its bytes are random, and so are hardly ever text.
  return versions.length === 0 ? isNoText(bytes) : versions.includes(version);
};

const newLengthBytes = (first: number): number => {
  if (first === 0xff) return 5;
  return first >= 0xc0 && first < 0xe0 ? 2 : 1;
};

const oldLengthBytes = (type: number): number => [1, 2, 4, 0][type] ?? 0;

/** Bytes of random data have control characters that no text has, and no text has NUL bytes beside single bytes. */
const isNoText = (bytes: Buffer): boolean =>
  bytes.subarray(0, 512).filter((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x20)).length > 3;
