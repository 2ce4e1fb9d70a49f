import { beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { filterPage, type Page, showPage } from '../../shared/http/listing.ts';
import type { Listed } from '../../shared/runtime/pages.ts';
import type { QueryPage, StoredItem } from '../../shared/table/table.ts';
import { workBudget } from '../../shared/runtime/work-budget.ts';
import { MemoryTable } from '../support/memory-table.ts';

const LARGEST = 380_000;
/** So many large items fill several pages. */
const LARGE = 100;
const FEW_MEGABYTES = 20_000_000;
const { listCalls } = limits.work;

/** A list of so many items of a size. */
const listOf = async (count: number, bytes: number) => {
  const table = new MemoryTable();
  for (let index = 0; index < count; index += 1)
    await table.put({ pk: 'list', sk: String(index).padStart(6, '0') }, { name: 'x'.repeat(bytes) });
  return table;
};

const positionOf = ({ sk }: { readonly sk: string }): string => sk;

/** Reads a list to its end by its pages, and the bytes and items of each page. */
const walk = async (table: MemoryTable, limit: number, keep: ((item: object) => boolean) | undefined) => {
  const seen: string[] = [];
  const pages: { read: number; items: number }[] = [];
  let after: string | undefined;
  do {
    let read = 0;
    const page = { limit, after, work: workBudget(listCalls) };
    const listed: Listed<StoredItem> = await filterPage(
      page,
      async (wanted: Page) => {
        const found: QueryPage = await table.query('list', wanted);
        for (const { name } of found.items) read += String(name).length;
        return found;
      },
      { keep, positionOf },
    );
    pages.push({ read, items: listed.items.length });
    seen.push(...listed.items.map(({ sk }) => sk));
    after = listed.next;
  } while (after !== undefined);
  return { seen, pages };
};

describe('a page of a list of large items', () => {
  let table: MemoryTable;
  beforeAll(async () => {
    table = await listOf(LARGE, LARGEST);
  });

  const all = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => String(index).padStart(6, '0'));

  const filters: readonly (readonly [string, ((item: object) => boolean) | undefined, number])[] = [
    ['without a filter', undefined, LARGE],
    ['whose filter keeps all', () => true, LARGE],
    ['whose filter keeps none', () => false, 0],
  ];

  it.each(filters)('%s reads a few megabytes and links to the rest', async (_, keep, found) => {
    for (const limit of [1_000, 100, 7]) {
      const { seen, pages } = await walk(table, limit, keep);
      expect(seen).toEqual(all(found));
      for (const { read } of pages) expect(read).toBeLessThan(FEW_MEGABYTES);
    }
  });

  it('of small items is as long as its limit says', async () => {
    const { pages } = await walk(await listOf(1_500, 500), 1_000, undefined);
    expect(pages.map(({ items }) => items)).toEqual([1_000, 500]);
  });

  it('has its calls from the request', async () => {
    const deps = { baseUrl: '', scopeOf: () => Promise.reject(new Error('no cursor')) };
    const asked = { property: { id: 1 }, query: {} };
    const read = ({ work }: Page) => {
      expect([work?.take(listCalls), work?.take(1)]).toEqual([true, false]);
      return Promise.resolve<Listed<string>>({ items: [] });
    };
    await showPage(deps, asked, {
      path: '/list',
      read,
      positionOf: String,
      views: (items: readonly string[]) => items,
    });
    expect.assertions(1);
  });
});
