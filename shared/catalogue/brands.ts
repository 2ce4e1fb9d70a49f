import { BoundedMap } from '../runtime/bounded-map.ts';
import { foldName, identityKey, keyed, segmentName, type Keyed } from './identity.ts';
import type { SegmentIdentity } from './types.ts';
import { brandKey, BRANDS, categoryKey, categorySegment, unknownPage } from './brand-keys.ts';

/** A page as a version of the catalogue has it. */
export interface PageEntry {
  readonly page: string;
  /** `null` when the page has left the catalogue. */
  readonly brand: string | null;
  readonly category: readonly string[];
  /** What the brand, or the page that has left, goes by. */
  readonly key: string;
  /** Keys that were ever made from this page. */
  readonly born: number;
  /** A key that is no more and whose ids this one takes over. */
  readonly mergedFrom?: string;
}

/** What a version of the catalogue says. */
export interface BrandContent {
  readonly pages: readonly PageEntry[];
  /** Keys of those categories that do not go by their path. */
  readonly categories: readonly { readonly path: readonly string[]; readonly key: string }[];
}

/** Pages whose segments are remembered. */
const CACHED = 20_000;

/** A version of the brand catalogue, as segments are derived and named by it. Version 0 knows no page. */
export class Brands {
  readonly version: number;
  readonly #pages: ReadonlyMap<string, PageEntry>;
  readonly #categoryKeys: ReadonlyMap<string, string>;
  /** Segments that there are by this version, by key. */
  readonly #live = new Map<string, SegmentIdentity>();
  /** By path, whose levels hold no `>`. */
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

  /** Pages that this version says something of: those it knows, and those that have left. */
  pages(): Iterable<PageEntry> {
    return this.#pages.values();
  }

  entryOf(page: string): PageEntry | undefined {
    return this.#pages.get(page);
  }

  /** The segments that a like makes its profile a member of: the brand or page, and each category of its path. */
  segmentsOf(like: string): readonly Keyed[] {
    const known = this.#derived.get(like);
    if (known) return known;
    const made = this.#identitiesOfLike(like).map(keyed);
    this.#derived.set(like, made);
    return made;
  }

  /** What the brand of a page, or the page itself, goes by. */
  keyOf(page: string): string {
    return this.#pages.get(page)?.key ?? brandKey(page);
  }

  /** What a category goes by. */
  categoryKeyOf(path: readonly string[]): string {
    const own = categoryKey(path);
    return this.#categoryKeys.get(own) ?? own;
  }

  /** The segment that goes by a key now; undefined when there is none, or it is that of a page nobody knows. */
  named(key: string): SegmentIdentity | undefined {
    return this.#live.get(key);
  }

  /** The brands and categories of a name, ignoring case. */
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

/** The catalogue before anything was loaded. */
export const noBrands = new Brands(0, { pages: [], categories: [] });
