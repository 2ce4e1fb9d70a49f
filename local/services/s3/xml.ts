/** XML: reads the two small request documents of S3. */
import { ServiceError } from '../../core/service-error.ts';

/** The contents of every element of a name. This is sufficient for the two small documents that S3 accepts. */
export const elements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([^]*?)</${name}>`, 'g'))].map(
    (match) => match[1] ?? '',
  );

/** The text of the first element of a name. */
export const textOf = (xml: string, name: string): string | undefined => {
  const content = elements(xml, name)[0];
  return content === undefined ? undefined : unescape(content);
};

/**
 * The character of a reference. Throws MalformedXML for characters outside XML 1.0, such as most control characters.
 */
const character = (code: number): string => {
  const text = code <= 0x10ffff ? String.fromCodePoint(code) : '';
  if (!isXmlText(text)) throw malformed();
  return text;
};

/** Refuses a document with characters outside XML 1.0. */
export const checkXml = (document: string): void => {
  if (!isXmlText(document)) throw malformed();
};

const isXmlText = (text: string): boolean =>
  text !== '' && /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u.test(text);

const malformed = (): ServiceError =>
  new ServiceError('MalformedXML', 'The XML you provided was not well-formed');

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescape = (text: string): string =>
  text.replace(
    /&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return character(parseInt(hex, 16));
      if (decimal !== undefined) return character(Number(decimal));
      return NAMED[name ?? ''] ?? whole;
    },
  );
