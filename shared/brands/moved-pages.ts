import type { Brands } from '../catalogue/brands.ts';

/**
 * The pages whose likes lead to other segments in the next version, by the previous key of their brand. Every affected
 * profile is in a segment with one of these keys. Pages of brands that were only renamed are not included.
 */
export const movedPages = (before: Brands, next: Brands): ReadonlyMap<string, readonly string[]> => {
  const pages = new Set([...before.pages(), ...next.pages()].map(({ page }) => page));
  return Map.groupBy(
    [...pages].filter((page) => !isSame(before, next, page)),
    (page) => before.keyOf(page),
  );
};

const isSame = (before: Brands, next: Brands, page: string): boolean =>
  keysOf(before, page).symmetricDifference(keysOf(next, page)).size === 0;

const keysOf = (brands: Brands, page: string): ReadonlySet<string> =>
  new Set(brands.segmentsOf(page).map(([key]) => key));
