/** Lists: an answer that comes in pages. */

/** One page, and the query of the next page; none at the end. */
export interface Fetched<Page> {
  readonly page: Page;
  readonly next: Readonly<Record<string, string>> | undefined;
}

/** Fetches a page: the first page, or the page of the query. */
type FetchPage<Page> = (query?: Readonly<Record<string, string>>) => Promise<Fetched<Page>>;

/**
 * A list. `await list` is its first page as the service answers it; `for await (const item of list)` visits the items of
 * all pages; `list.pages()` visits the pages. Each use sends its own requests.
 * @example
 * ```ts
 * for await (const one of tidemark.listExports()) console.log(one.name);
 * ```
 * @public
 */
export class List<Page, Item> implements PromiseLike<Page>, AsyncIterable<Item> {
  readonly #fetch: FetchPage<Page>;
  readonly #itemsOf: (page: Page) => Iterable<Item>;

  constructor(fetchPage: FetchPage<Page>, itemsOf: (page: Page) => Iterable<Item>) {
    this.#fetch = fetchPage;
    this.#itemsOf = itemsOf;
  }

  /**
   * Fetches the first page, for `await`.
   * @example
   * ```ts
   * const { exports } = await tidemark.listExports({ query: { limit: 20 } });
   * ```
   */
  then<Result = Page, Failure = never>(
    onPage?: ((page: Page) => Result | PromiseLike<Result>) | null,
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#fetch()
      .then(({ page }) => page)
      .then(onPage, onError);
  }

  /**
   * All pages, first to last.
   * @example
   * ```ts
   * for await (const page of tidemark.listExports().pages()) console.log(page.exports.length);
   * ```
   */
  async *pages(): AsyncGenerator<Page, undefined> {
    let fetched = await this.#fetch();
    yield fetched.page;
    while (fetched.next) {
      fetched = await this.#fetch(fetched.next);
      yield fetched.page;
    }
  }

  /**
   * All items, those of the first page first.
   * @example
   * ```ts
   * for await (const profile of tidemark.listSegmentProfiles({ path: { segment_id: 1001000000001 } }))
   *   console.log(profile.email);
   * ```
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, undefined> {
    for await (const page of this.pages()) yield* this.#itemsOf(page);
  }
}

/**
 * The query of the next page, from the link in `paging.next_page` or the header `Link`. Only the query is used: the
 * client may reach the service under another address than the one in the link.
 */
export const nextQuery = (page: unknown, headers: Headers): Readonly<Record<string, string>> | undefined => {
  const link = linkIn(page) ?? linkInHeader(headers.get('link'));
  return link === undefined ? undefined : Object.fromEntries(new URL(link, 'http://localhost').searchParams);
};

const linkIn = (page: unknown): string | undefined => {
  if (typeof page !== 'object' || page === null || !('paging' in page)) return undefined;
  const { paging } = page;
  if (typeof paging !== 'object' || paging === null || !('next_page' in paging)) return undefined;
  return typeof paging.next_page === 'string' ? paging.next_page : undefined;
};

/** The target of `rel="next"` (RFC 8288). */
const linkInHeader = (header: string | null): string | undefined =>
  /<([^<>]*)>; rel="next"/.exec(header ?? '')?.[1];
