/** Brand catalogue: one version of it, with the segments that follow from the pages that a profile likes. */
import { BoundedMap } from '../runtime/bounded-map.ts';
import { foldName, identityKey, keyed, segmentName, type Keyed } from './identity.ts';
import type { SegmentIdentity } from './types.ts';
import { brandKey, BRANDS, categoryKey, categorySegment, unknownPage } from './brand-keys.ts';

/** A page in a version of the brand catalogue. */
export interface PageEntry {
  readonly page: string;
  /** `null` when the page has left the catalogue. */
  readonly brand: string | null;
  readonly category: readonly string[];
  /** The key of the brand, or of the page itself once it has left. */
  readonly key: string;
  /** The number of keys that were ever created from this page. */
  readonly born: number;
  /** A retired key whose ids the brand takes over. */
  readonly mergedFrom?: string;
}

/** The content of a version of the catalogue. */
export interface BrandContent {
  readonly pages: readonly PageEntry[];
  /** Keys of the categories whose key does not follow from the path. */
  readonly categories: readonly { readonly path: readonly string[]; readonly key: string }[];
}

/** Pages whose segments are cached. */
const CACHED = 20_000;

/** A version of the brand catalogue: derives and names segments. Version 0 contains no page. */
export class Brands {
  readonly version: number;
  readonly #pages: ReadonlyMap<string, PageEntry>;
  readonly #categoryKeys: ReadonlyMap<string, string>;
  /** Current segments by key. */
  readonly #live = new Map<string, SegmentIdentity>();
  /** By path. No level of a path contains `>`. */
  readonly #categories = new Map<string, readonly SegmentIdentity[]>();
  readonly #derived = new BoundedMap<string, readonly Keyed[]>(CACHED);
  #byName: ReadonlyMap<string, readonly SegmentIdentity[]> | undefined;

  constructor(version: number, { pages, categories }: BrandContent) {
    this.version = version;
    this.#pages = new Map(pages.map((entry) => [entry.page, entry]));
    this.#categoryKeys = new Map(categories.map(({ path, key }) => [categoryKey(path), key]));
    for (const entry of pages)
      for (const identity of this.#identitiesOf(entry)) this.#live.set(identityKey(identity), identity);
  }

  /** The pages in the catalogue, and the pages that have left it. */
  pages(): Iterable<PageEntry> {
    return this.#pages.values();
  }

  entryOf(page: string): PageEntry | undefined {
    return this.#pages.get(page);
  }

  /** The segments of a profile with this like: the brand or page, and each category of its path. */
  segmentsOf(like: string): readonly Keyed[] {
    const known = this.#derived.get(like);
    if (known) return known;
    const made = this.#identitiesOfLike(like).map(keyed);
    this.#derived.set(like, made);
    return made;
  }

  /** The key of the brand of a page, or of the page itself. */
  keyOf(page: string): string {
    return this.#pages.get(page)?.key ?? brandKey(page);
  }

  categoryKeyOf(path: readonly string[]): string {
    const own = categoryKey(path);
    return this.#categoryKeys.get(own) ?? own;
  }

  /**
   * The current segment with a key; undefined when there is none, or when the key is that of a page outside the
   * catalogue.
   */
  named(key: string): SegmentIdentity | undefined {
    return this.#live.get(key);
  }

  /** The brands and categories with a name, ignoring case. */
  withName(name: string): readonly SegmentIdentity[] {
    this.#byName ??= Map.groupBy(this.#live.values(), (identity) => foldName(identity.name));
    return this.#byName.get(foldName(name)) ?? [];
  }

  #identitiesOfLike(like: string): readonly SegmentIdentity[] {
    const page = segmentName(like);
    if (page === undefined) return [];
    const entry = this.#pages.get(page);
    return entry ? this.#identitiesOf(entry) : [unknownPage(page)];
  }

  #identitiesOf({ page, brand, category, key, mergedFrom }: PageEntry): readonly SegmentIdentity[] {
    const from = mergedFrom === undefined ? {} : { mergedFrom };
    if (brand === null) return [{ ...unknownPage(page), key, ...from }];
    return [
      { type: 'brand', path: [BRANDS, ...category], name: brand, key, ...from },
      ...this.#categoriesOf(category),
    ];
  }

  #categoriesOf(category: readonly string[]): readonly SegmentIdentity[] {
    const name = category.join('>');
    const known = this.#categories.get(name);
    if (known) return known;
    const made = category.map((_, depth) => {
      const path = category.slice(0, depth + 1);
      return { ...categorySegment(path), key: this.categoryKeyOf(path) };
    });
    this.#categories.set(name, made);
    return made;
  }
}

/** The catalogue before the first load. */
export const noBrands = new Brands(0, { pages: [], categories: [] });
