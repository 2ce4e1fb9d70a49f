import { identityKey } from '../catalogue/identity.ts';
import { brandKey, categoryKey, categorySegment, originPage } from '../catalogue/brand-keys.ts';
import type { BrandContent, Brands, PageEntry } from '../catalogue/brands.ts';
import type { BrandRow } from './brand-row.ts';

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
  const keyed = brandKeys(before, all);
  const byPage = new Map(keyed.map(({ row, key }) => [row.page, key]));
  const live = new Set(byPage.values());
  const pages = keyed.map(({ row, key, born }): PageEntry => {
    const was = before.keyOf(row.page);
    // Only from what leads here, and only to a key that is new: else the id would be of two segments for a while.
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

/** A page of the next version; without a brand it has left. */
type Placed = Pick<PageEntry, 'page' | 'brand' | 'category'>;

/** Pages that the catalogue knew or remembers, and that are not in the file. */
const departed = (before: Brands, rows: readonly BrandRow[]): readonly Placed[] => {
  const kept = new Set(rows.map(({ page }) => page));
  return [...before.pages()].filter(({ page }) => !kept.has(page)).map(({ page }) => departedPage(page));
};

const departedPage = (page: string): Placed => ({ page, brand: null, category: [] });

/** Not one that goes by its own key, as pages do of which the catalogue never heard. */
const isWorthKeeping = ({ page, brand, key, born }: PageEntry): boolean =>
  brand !== null || key !== brandKey(page) || born > 1;

/** What a page stands for: its brand with the brand's place, or only itself. */
const thingOf = ({ page, brand, category }: Placed): string =>
  JSON.stringify(brand === null ? [page] : [brand, ...category]);

/** Rows of one name: the first of them, and the pages of all. */
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

/** What pages stood for in the version before: its name, what it went by, and which pages they were. */
interface Thing {
  readonly name: string;
  readonly key: string;
  readonly pages: ReadonlySet<string>;
}

/** The key of a thing that is called otherwise now: it has exactly the pages of the other. */
const renamedFrom = (
  other: Thing,
  now: { has(name: string): boolean },
  pages: ReadonlySet<string>,
): string | undefined => {
  const isRenamed = !now.has(other.name) && other.pages.symmetricDifference(pages).size === 0;
  return isRenamed ? other.key : undefined;
};

interface BrandKey {
  readonly key: string;
  /** Of a new key: the page that it was made from. */
  readonly born: { readonly page: string; readonly generation: number } | undefined;
}

/** Rows of the next version, each with the key of what it stands for. */
const brandKeys = (
  before: Brands,
  all: readonly Placed[],
): readonly (BrandKey & { readonly row: Placed })[] => {
  const was = new Map(groupsBy(before.pages(), thingOf));
  const now = new Map(groupsBy(all, thingOf));
  const mergedFrom = (page: string): Thing => {
    const name = thingOf(before.entryOf(page) ?? departedPage(page));
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

/** The categories of rows by name, the outer ones of each path too. */
const categoriesOf = (rows: Iterable<Placed>): ReadonlyMap<string, Category> => {
  const found = new Map<string, Category>();
  // Levels hold no `>`.
  for (const [, { first, pages }] of groupsBy(rows, ({ category }) => category.join('>')))
    for (const depth of first.category.keys()) {
      const path = first.category.slice(0, depth + 1);
      const category = found.get(nameOf(path)) ?? { path, page: first.page, pages: new Set() };
      for (const page of pages) category.pages.add(page);
      found.set(nameOf(path), category);
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

/** The key of the category that the first page of a new category was in, at the same depth, when it was only renamed. */
const renamedCategory = (before: Brands, { was, now, category }: CategoryLook): string | undefined => {
  const { path, page, pages } = category;
  const entry = before.entryOf(page);
  const other = entry && was.get(nameOf(entry.category.slice(0, path.length)));
  // A shorter path has no category at this depth.
  if (other?.path.length !== path.length) return undefined;
  const thing = { name: nameOf(other.path), key: before.categoryKeyOf(other.path), pages: other.pages };
  return renamedFrom(thing, now, pages);
};

const freshKey = (path: readonly string[], taken: ReadonlySet<string>): string => {
  let generation = 1;
  while (taken.has(categoryKey(path, generation))) generation += 1;
  return categoryKey(path, generation);
};
