/** Brand content: stores and reads the pages of a catalogue version in compressed parts. */
import { gunzipSync, gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { keys } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';
import { brandKey } from './brand-keys.ts';
import type { BrandContent, PageEntry } from './brands.ts';

/** Bytes of one item of content, well below DynamoDB's limit of 400 KB. */
const PART_BYTES = 300_000;

/** Content as stored. Default values are left out, because most pages have them. */
const storedContent = v.object({
  pages: v.array(
    v.object({
      p: v.string(),
      b: v.exactOptional(v.string()),
      c: v.exactOptional(v.array(v.string())),
      k: v.exactOptional(v.string()),
      n: v.exactOptional(v.number()),
      f: v.exactOptional(v.string()),
    }),
  ),
  categories: v.array(v.object({ path: v.array(v.string()), key: v.string() })),
});

const contentPart = v.object({ bytes: v.instance(Uint8Array) });

/** Content as gzip, split into parts. */
const encodeContent = ({ pages, categories }: BrandContent): readonly Uint8Array[] => {
  const bytes = gzipSync(JSON.stringify({ pages: pages.map(shortened), categories }));
  return Array.from({ length: Math.ceil(bytes.length / PART_BYTES) }, (_, part) =>
    bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
  );
};

const shortened = ({ page, brand, category, key, born, mergedFrom }: PageEntry) => ({
  p: page,
  ...(brand === null ? {} : { b: brand, c: category }),
  ...(key === brandKey(page) ? {} : { k: key }),
  ...(born === 1 ? {} : { n: born }),
  ...(mergedFrom === undefined ? {} : { f: mergedFrom }),
});

const decodeContent = (parts: readonly Uint8Array[]): BrandContent => {
  const text = gunzipSync(Buffer.concat(parts)).toString('utf8');
  const { pages, categories } = v.parse(storedContent, JSON.parse(text));
  // Most pages share their path with others; each path is kept once.
  const paths = new Map<string, readonly string[]>();
  const shared = (path: readonly string[]): readonly string[] => {
    const name = path.join('>');
    const known = paths.get(name) ?? path;
    paths.set(name, known);
    return known;
  };
  return {
    categories,
    pages: pages.map(({ p, b = null, c = [], k = brandKey(p), n = 1, f }): PageEntry => ({
      page: p,
      brand: b,
      category: shared(c),
      key: k,
      born: n,
      ...(f === undefined ? {} : { mergedFrom: f }),
    })),
  };
};

/** The place of a version's content: the name of the attempt that stored it, and the number of parts. */
export interface ContentPlace {
  readonly name: string;
  readonly parts: number;
}

/** Stores content under a new name. */
export const storeContent = async (
  table: Table,
  name: string,
  content: BrandContent,
): Promise<ContentPlace> => {
  const parts = encodeContent(content);
  const writes = parts.map((bytes, part): Write => {
    return { kind: 'insert', key: keys.brandContent(name, part), set: { bytes } };
  });
  if ((await table.writeMany(writes)).includes('refused'))
    throw new Error('brands: the name was used before');
  return { name, parts: parts.length };
};

/** Reads content; throws when a part of it is missing. */
export const readContent = async (table: Table, { name, parts }: ContentPlace): Promise<BrandContent> => {
  const wanted = Array.from({ length: parts }, (_, part) => keys.brandContent(name, part));
  const items = await table.getMany(wanted);
  return decodeContent(items.map((item) => v.parse(contentPart, item).bytes));
};
