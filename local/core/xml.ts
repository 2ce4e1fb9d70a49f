/** XML: writes the answers of the services that speak XML. */
import { escapeXml } from './error-responses.ts';
import type { AwsResponse } from './types.ts';

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
