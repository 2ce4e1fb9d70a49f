/** XML: writes the answers of S3 and reads its two small request documents. */
import type { AwsResponse } from '../../core/types.ts';
import { escapeXml } from '../../core/error-responses.ts';
import { ServiceError } from '../../core/service-error.ts';

/** A tree of elements: text, or named children. A list repeats its name. */
export type Xml = string | number | boolean | { readonly [name: string]: Xml | readonly Xml[] | undefined };

/** Writes elements. */
const toXml = (name: string, value: Xml): string => {
  if (typeof value !== 'object') return `<${name}>${escapeXml(String(value))}</${name}>`;
  const children = Object.entries(value).flatMap(([child, content]) =>
    content === undefined ? [] : listOf(content).map((one) => toXml(child, one)),
  );
  return `<${name}>${children.join('')}</${name}>`;
};

const isList = (content: Xml | readonly Xml[]): content is readonly Xml[] => Array.isArray(content);
const listOf = (content: Xml | readonly Xml[]): readonly Xml[] => (isList(content) ? content : [content]);

/** An XML answer. */
export const xmlResponse = (
  name: string,
  value: Xml,
  headers: Readonly<Record<string, string>> = {},
): AwsResponse => ({
  status: 200,
  headers: { 'content-type': 'application/xml', ...headers },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${toXml(name, value)}`,
});

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
