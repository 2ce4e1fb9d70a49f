/** Next content: computes a version of the brand catalogue from the previous version and a loaded file. */
import { identityKey } from '../catalogue/identity.ts';
import { brandKey, categoryKey, categorySegment, originPage } from '../catalogue/brand-keys.ts';
import type { BrandContent, Brands, PageEntry } from '../catalogue/brands.ts';
import type { BrandRow } from './brand-row.ts';

/**
 * Computes the next version of the catalogue from the previous version and a file. Decides the keys of brands and
 * categories, once for all properties:
 *
 * - A brand or category with the same name and path keeps its key, whatever its pages are.
 * - A new brand or category with exactly the pages of a vanished one was renamed or moved, and takes over its key. So
 *   does a page that becomes a brand of its own.
 * - Every other brand or category gets a new key. A brand names the retired keys of its pages (`mergedFrom`), so that a
 *   property with such a segment gives its id to the brand.
 *
 * Both versions are in use for a while, so a key means the same in both versions, or exists in only one of them.
 */
export const nextContent = (before: Brands, rows: readonly BrandRow[]): BrandContent => {
  const all: readonly Placed[] = [...rows, ...departed(before, rows)];
  const keyed = brandKeys(before, all);
  const byPage = new Map(keyed.map(({ row, key }) => [row.page, key]));
  const live = new Set(byPage.values());
  const pages = keyed.map(({ row, key, born }): PageEntry => {
    const was = before.keyOf(row.page);
    // Only from a key that leads to this brand, and only to a new key. Otherwise two segments would share an id for a while.
    const follows = born !== undefined && !live.has(was) && byPage.get(originPage(was)) === key;
    return {
      ...row,
      key,
      born: born?.page === row.page ? born.generation : (before.entryOf(row.page)?.born ?? 1),
      ...(follows ? { mergedFrom: was } : {}),
    };
  });
  return { pages: pages.filter(isWorthKeeping), categories: categoryKeys(before, rows) };
};

/** A page of the next version. A page without a brand has left the catalogue. */
type Placed = Pick<PageEntry, 'page' | 'brand' | 'category'>;

/** Pages of the previous version that are not in the file. */
const departed = (before: Brands, rows: readonly BrandRow[]): readonly Placed[] => {
  const kept = new Set(rows.map(({ page }) => page));
  return [...before.pages()].filter(({ page }) => !kept.has(page)).map(({ page }) => departedPage(page));
};

const departedPage = (page: string): Placed => ({ page, brand: null, category: [] });

/** Whether a page differs from a page that was never in the catalogue: it has a brand, or not its own key. */
const isWorthKeeping = ({ page, brand, key, born }: PageEntry): boolean =>
  brand !== null || key !== brandKey(page) || born > 1;

/** The name of the entity of a page: its brand with the category path, or only the page itself. */
const entityOf = ({ page, brand, category }: Placed): string =>
  JSON.stringify(brand === null ? [page] : [brand, ...category]);

/** Rows of one entity: the first row, and the pages of all rows. */
interface Group {
  readonly first: Placed;
  readonly rows: readonly Placed[];
  readonly pages: ReadonlySet<string>;
}

const groupsBy = (
  rows: Iterable<Placed>,
  nameOf: (row: Placed) => string,
): readonly (readonly [name: string, group: Group])[] =>
  [...Map.groupBy(rows, nameOf)].flatMap(([name, group]) => {
    const [first] = group;
    return first ? [[name, { first, rows: group, pages: pagesOf(group) }] as const] : [];
  });

const pagesOf = (rows: readonly Placed[]): ReadonlySet<string> => new Set(rows.map(({ page }) => page));

/** An entity of the previous version: its name, its key and its pages. */
interface Entity {
  readonly name: string;
  readonly key: string;
  readonly pages: ReadonlySet<string>;
}

/** The key of an entity that was renamed: the new entity has exactly its pages. */
const renamedFrom = (
  other: Entity,
  now: { has(name: string): boolean },
  pages: ReadonlySet<string>,
): string | undefined => {
  const isRenamed = !now.has(other.name) && other.pages.symmetricDifference(pages).size === 0;
  return isRenamed ? other.key : undefined;
};

interface BrandKey {
  readonly key: string;
  /** For a new key: the page that it was created from. */
  readonly born: { readonly page: string; readonly generation: number } | undefined;
}

/** Rows of the next version, each with the key of its entity. */
const brandKeys = (
  before: Brands,
  all: readonly Placed[],
): readonly (BrandKey & { readonly row: Placed })[] => {
  const was = new Map(groupsBy(before.pages(), entityOf));
  const now = new Map(groupsBy(all, entityOf));
  const mergedFrom = (page: string): Entity => {
    const name = entityOf(before.entryOf(page) ?? departedPage(page));
    return { name, key: before.keyOf(page), pages: was.get(name)?.pages ?? new Set([page]) };
  };
  const keyOf = (name: string, { first: { page }, pages }: Group): BrandKey => {
    const same = was.get(name);
    const kept = same ? before.keyOf(same.first.page) : renamedFrom(mergedFrom(page), now, pages);
    if (kept !== undefined) return { key: kept, born: undefined };
    const generation = (before.entryOf(page)?.born ?? 1) + 1;
    return { key: brandKey(page, generation), born: { page, generation } };
  };
  return [...now].flatMap(([name, group]) => {
    const key = keyOf(name, group);
    return group.rows.map((row) => ({ row, ...key }));
  });
};

/** A category of a version, its first page, and all of its pages. */
interface Category {
  readonly path: readonly string[];
  readonly page: string;
  readonly pages: Set<string>;
}

const nameOf = (path: readonly string[]): string => identityKey(categorySegment(path));

/** The categories of rows by name, including the outer categories of each path. */
const categoriesOf = (rows: Iterable<Placed>): ReadonlyMap<string, Category> => {
  const found = new Map<string, Category>();
  // No level contains `>`.
  for (const [, { first, pages }] of groupsBy(rows, ({ category }) => category.join('>'))) {
    for (const depth of first.category.keys()) {
      const path = first.category.slice(0, depth + 1);
      const category = found.get(nameOf(path)) ?? { path, page: first.page, pages: new Set() };
      for (const page of pages) category.pages.add(page);
      found.set(nameOf(path), category);
    }
  }
  return found;
};

const categoryKeys = (before: Brands, rows: readonly BrandRow[]): BrandContent['categories'] => {
  const was = categoriesOf(before.pages());
  const now = categoriesOf(rows);
  const taken = new Set([...was.values()].map(({ path }) => before.categoryKeyOf(path)));
  return [...now].flatMap(([name, category]) => {
    const { path } = category;
    const key = was.has(name)
      ? before.categoryKeyOf(path)
      : (renamedCategory(before, { was, now, category }) ?? freshKey(path, taken));
    return key === name ? [] : [{ path, key }];
  });
};

interface CategoryLook {
  readonly was: ReadonlyMap<string, Category>;
  readonly now: ReadonlyMap<string, Category>;
  readonly category: Category;
}

/** The key of a renamed category: its first page was in that category, at the same depth, and all pages are the same. */
const renamedCategory = (before: Brands, { was, now, category }: CategoryLook): string | undefined => {
  const { path, page, pages } = category;
  const entry = before.entryOf(page);
  const other = entry && was.get(nameOf(entry.category.slice(0, path.length)));
  // A shorter path has no category at this depth.
  if (other?.path.length !== path.length) return undefined;
  const entity = { name: nameOf(other.path), key: before.categoryKeyOf(other.path), pages: other.pages };
  return renamedFrom(entity, now, pages);
};

const freshKey = (path: readonly string[], taken: ReadonlySet<string>): string => {
  let generation = 1;
  while (taken.has(categoryKey(path, generation))) generation += 1;
  return categoryKey(path, generation);
};
