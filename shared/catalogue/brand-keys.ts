import * as v from 'valibot';
import { identityKey } from './identity.ts';
import type { SegmentIdentity } from './types.ts';

/** The node of all brands. */
export const BRANDS = 'Brands';

/** The segment of a page that is in no catalogue. */
export const unknownPage = (page: string): SegmentIdentity => ({
  type: 'brand',
  path: [BRANDS, UNCATEGORISED],
  name: page,
});

/**
 * The key of a brand, which survives renames: the page that the brand was created from, and the generation, because
 * several brands may be created from one page over time. Generation 1 is the key of the page itself, so a page that
 * becomes a brand keeps its segment.
 */
export const brandKey = (page: string, generation = 1): string => keyOf(unknownPage(page), generation);

/** The segment of a category, in the tree node of the category. */
export const categorySegment = (path: readonly string[]): SegmentIdentity => ({
  type: 'CATEGORY',
  path: [BRANDS, ...path],
  name: path.join(CATEGORY_SEPARATOR),
});

/** The key of a category: the path that it was created with, and the generation. */
export const categoryKey = (path: readonly string[], generation = 1): string =>
  keyOf(categorySegment(path), generation);

const keyOf = (identity: SegmentIdentity, generation: number): string => {
  const { type, path, name } = identity;
  return generation === 1 ? identityKey(identity) : JSON.stringify([type, path, name, generation]);
};

const parts = v.pipe(v.string(), v.parseJson(), v.looseTuple([v.string(), v.array(v.string()), v.string()]));

/** The page that the brand with this key was created from. It leads to the successor once the brand is retired. */
export const originPage = (key: string): string => v.parse(parts, key)[2];

/** Separates the categories of a path. */
export const CATEGORY_SEPARATOR = ' > ';

/** The tree node of pages outside the catalogue; no category may have this name. */
export const UNCATEGORISED = 'Uncategorised';
