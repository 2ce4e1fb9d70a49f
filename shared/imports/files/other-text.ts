/** Other text: recognises texts that are no tables, such as vCards or JSON, for the inspection of files. */
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
export const otherText = (bytes: Buffer): OtherKind | undefined => {
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
