import type { Brands } from '../catalogue/brands.ts';

/**
 * The pages whose likes lead to other segments by one version than by the one before, by what their brand went by before:
 * whoever is concerned is in a segment of one of these keys. What was only renamed is not among them.
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
