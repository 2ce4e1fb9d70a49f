import { identityKey } from '../segments/identity.ts';
import { brandKey, categoryKey, categorySegment, homeOf } from './brand-keys.ts';
import type { BrandContent, Brands, PageEntry } from './brands.ts';
import type { BrandRow } from './rows.ts';

/**
 * The catalogue that a file makes of the one before. What goes by which key is decided here, once and for all properties:
 *
 * - a brand or category that is called as before keeps its key, whatever its pages are;
 * - one that has exactly the pages of one that is no more was renamed or moved, and takes over its key; so does a page
 *   that the catalogue learns as a brand of its own;
 * - everything else gets a key that is not in use before. A brand names the keys of its pages that are no more, so that a
 *   property which has such a segment gives the brand its id.
 *
 * Both versions are in use for a while. So a key means one thing in both, or is in one of them only.
 */
export const nextContent = (before: Brands, rows: readonly BrandRow[]): BrandContent => {
  const all: readonly Placed[] = [...rows, ...departed(before, rows)];
  const keys = brandKeys(before, all);
  const byPage = new Map(all.map((row) => [row.page, keys.get(thingOf(row))?.key]));
  const live = new Set(byPage.values());
  const pages = all.map((row): PageEntry => {
    const { key, born } = keys.get(thingOf(row)) ?? { key: brandKey(row.page), born: undefined };
    const was = before.keyOf(row.page);
    // Only from what leads here, and only to a key that is new: else the id would be of two segments for a while.
    const follows = born !== undefined && !live.has(was) && byPage.get(homeOf(was)) === key;
    return {
      ...row,
      key,
      born: born?.page === row.page ? born.generation : (before.entryOf(row.page)?.born ?? 1),
      ...(follows ? { formerly: was } : {}),
    };
  });
  return { pages: pages.filter(isWorthKeeping), categories: categoryKeys(before, rows) };
};

/** A page of the next version; without a brand it has left. */
type Placed = Pick<PageEntry, 'page' | 'brand' | 'category'>;

/** Pages that the catalogue knew or remembers, and that are not in the file. */
const departed = (before: Brands, rows: readonly BrandRow[]): readonly Placed[] => {
  const kept = new Set(rows.map(({ page }) => page));
  return [...before.pages()]
    .filter(({ page }) => !kept.has(page))
    .map(({ page }) => ({ page, brand: null, category: [] }));
};

/** Not one that goes by its own key, as pages do of which the catalogue never heard. */
const isWorthKeeping = ({ page, brand, key, born }: PageEntry): boolean =>
  brand !== null || key !== brandKey(page) || born > 1;

/** What a page stands for: its brand with the brand's place, or only itself. */
const thingOf = ({ page, brand, category }: Placed): string =>
  JSON.stringify(brand === null ? [page] : [brand, ...category]);

/** Something that pages stand for, in the version before: its name, what it goes by, and which pages they are. */
interface Thing {
  readonly name: string;
  readonly key: string;
  readonly pages: ReadonlySet<string>;
}
type Pages = ReadonlyMap<string, ReadonlySet<string>>;

const pagesBy = <T extends { readonly page: string }>(rows: Iterable<T>, nameOf: (row: T) => string): Pages =>
  new Map(
    [...Map.groupBy(rows, nameOf)].map(([name, group]) => [name, new Set(group.map(({ page }) => page))]),
  );

/** The key of a thing that is called otherwise now: it has exactly the pages of the other. */
const renamedFrom = (
  other: Thing | undefined,
  now: Pages,
  pages: ReadonlySet<string>,
): string | undefined => {
  if (!other || now.has(other.name) || other.pages.size !== pages.size) return undefined;
  return [...pages].every((page) => other.pages.has(page)) ? other.key : undefined;
};

interface BrandKey {
  readonly key: string;
  /** Of a new key: the page that it was made from. */
  readonly born: { readonly page: string; readonly generation: number } | undefined;
}

const brandKeys = (before: Brands, all: readonly Placed[]): ReadonlyMap<string, BrandKey> => {
  const was = pagesBy(before.pages(), thingOf);
  const now = pagesBy(all, thingOf);
  const formerly = (page: string): Thing => {
    const name = thingOf(before.entryOf(page) ?? { page, brand: null, category: [] });
    return { name, key: before.keyOf(page), pages: was.get(name) ?? new Set([page]) };
  };
  return new Map(
    [...now].map(([thing, pages]): [string, BrandKey] => {
      const [page = ''] = pages;
      const [same] = was.get(thing) ?? [];
      const kept = same === undefined ? renamedFrom(formerly(page), now, pages) : before.keyOf(same);
      if (kept !== undefined) return [thing, { key: kept, born: undefined }];
      const generation = (before.entryOf(page)?.born ?? 1) + 1;
      return [thing, { key: brandKey(page, generation), born: { page, generation } }];
    }),
  );
};

/** The category of a page at a depth; undefined where its path is shorter. */
const categoryAt = ({ category }: Placed, depth: number): readonly string[] | undefined =>
  depth < category.length ? category.slice(0, depth + 1) : undefined;

const nameOf = (path: readonly string[]): string => identityKey(categorySegment(path));

/** Rows by their whole path, the first of each beside them all. */
const byPath = (rows: Iterable<Placed>): readonly (readonly [Placed, readonly Placed[]])[] =>
  [...Map.groupBy(rows, ({ category }) => category.join('>')).values()].flatMap((group) => {
    const [first] = group;
    return first ? [[first, group] as const] : [];
  });

/** Pages by each category that they are in. */
const pagesByCategory = (rows: Iterable<Placed>): Pages => {
  const found = new Map<string, Set<string>>();
  for (const [{ category }, group] of byPath(rows))
    for (const depth of category.keys()) {
      const name = nameOf(category.slice(0, depth + 1));
      const pages = found.get(name) ?? new Set();
      for (const { page } of group) pages.add(page);
      found.set(name, pages);
    }
  return found;
};

const categoryKeys = (before: Brands, rows: readonly BrandRow[]): BrandContent['categories'] => {
  const was = pagesByCategory(before.pages());
  const now = pagesByCategory(rows);
  const paths = new Map<string, { readonly path: readonly string[]; readonly page: string }>();
  for (const [{ page, category }] of byPath(rows))
    for (const depth of category.keys()) {
      const path = category.slice(0, depth + 1);
      if (!paths.has(nameOf(path))) paths.set(nameOf(path), { path, page });
    }
  const taken = new Set(byPath(before.pages()).flatMap(([entry]) => keysOf(before, entry)));
  return [...paths].flatMap(([name, { path, page }]) => {
    const key = keptCategory(before, { was, now, name, path, page }) ?? freshKey(path, taken);
    taken.add(key);
    return key === name ? [] : [{ path, key }];
  });
};

const keysOf = (before: Brands, { category }: Placed): readonly string[] =>
  category.map((_, depth) => before.categoryKeyOf(category.slice(0, depth + 1)));

interface CategoryLook {
  readonly was: Pages;
  readonly now: Pages;
  readonly name: string;
  readonly path: readonly string[];
  readonly page: string;
}

const keptCategory = (before: Brands, { was, now, name, path, page }: CategoryLook): string | undefined => {
  if (was.has(name)) return before.categoryKeyOf(path);
  const entry = before.entryOf(page);
  const other = entry && categoryAt(entry, path.length - 1);
  if (!other) return undefined;
  const thing = { name: nameOf(other), key: before.categoryKeyOf(other) };
  return renamedFrom({ ...thing, pages: was.get(thing.name) ?? new Set() }, now, now.get(name) ?? new Set());
};

const freshKey = (path: readonly string[], taken: ReadonlySet<string>): string => {
  let generation = 1;
  while (taken.has(categoryKey(path, generation))) generation += 1;
  return categoryKey(path, generation);
};
