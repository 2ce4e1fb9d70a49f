import * as v from 'valibot';
import { identityKey } from './identity.ts';
import type { SegmentIdentity } from './types.ts';

/** The node of all brands. */
export const BRANDS = 'Brands';

/** The segment of a page that no catalogue knows. */
export const unknownPage = (page: string): SegmentIdentity => ({
  type: 'brand',
  path: [BRANDS, UNCATEGORISED],
  name: page,
});

/**
 * A key that a brand goes by, whatever it is called: the page it was born with, and the how-manieth of that page it is. The
 * first is the key of the page itself, so that a page which becomes a brand of its own keeps its segment.
 */
export const brandKey = (page: string, generation = 1): string => keyOf(unknownPage(page), generation);

/** The segment of a category, in the node that it makes. */
export const categorySegment = (path: readonly string[]): SegmentIdentity => ({
  type: 'CATEGORY',
  path: [BRANDS, ...path],
  name: path.join(CATEGORY_SEPARATOR),
});

/** A key that a category goes by: the path it was born with, and the how-manieth of that path it is. */
export const categoryKey = (path: readonly string[], generation = 1): string =>
  keyOf(categorySegment(path), generation);

const keyOf = (identity: SegmentIdentity, generation: number): string => {
  const { type, path, name } = identity;
  return generation === 1 ? identityKey(identity) : JSON.stringify([type, path, name, generation]);
};

const parts = v.pipe(v.string(), v.parseJson(), v.looseTuple([v.string(), v.array(v.string()), v.string()]));

/** The page that a brand of this key was born with: where its people are looked for once the brand is no more. */
export const originPage = (key: string): string => v.parse(parts, key)[2];

/** What stands between two categories of a path. */
export const CATEGORY_SEPARATOR = ' > ';

/** The node of pages that the catalogue does not know; no category may be named like it. */
export const UNCATEGORISED = 'Uncategorised';
