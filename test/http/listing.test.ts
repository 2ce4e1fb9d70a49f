import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { filterPage, type Page } from '../../shared/http/listing.ts';

const { filteredItems } = limits.http;

/** A list of the numbers below `size`, with a record of its reads. */
const numbers = (size: number) => {
  let read = 0;
  const readPage = ({ limit, after = -1 }: Page<number>) => {
    const items = Array.from(
      { length: Math.max(0, Math.min(limit, size - after - 1)) },
      (_, n) => after + 1 + n,
    );
    read += items.length;
    const last = after + items.length;
    return Promise.resolve({ items, next: last < size - 1 ? last : undefined });
  };
  return { readPage, read: () => read };
};
const every = (step: number) => ({ keep: (n: number) => n % step === 0, positionOf: (n: number) => n });

/** Walks a filtered list to its end; returns its items and the sizes of its pages. */
const walk = async (size: number, limit: number, step: number) => {
  const found: number[] = [];
  const pages: number[] = [];
  let after: number | undefined;
  do {
    const list = numbers(size);
    const page = await filterPage({ limit, after }, list.readPage, every(step));
    expect(list.read()).toBeLessThanOrEqual(filteredItems + Math.max(limit, 100));
    found.push(...page.items);
    pages.push(page.items.length);
    after = page.next;
  } while (after !== undefined);
  return { found, pages };
};

describe('a page of a filtered list', () => {
  it.each([1, 2, 7, 100, 1_000])('a walk in pages of %d returns each matching item once', async (limit) => {
    for (const [size, step] of [
      [0, 1],
      [1, 1],
      [99, 3],
      [100, 1],
      [101, 50],
      [350, 7],
    ] as const) {
      const { found, pages } = await walk(size, limit, step);
      expect(found).toEqual(Array.from({ length: Math.ceil(size / step) }, (_, n) => n * step));
      expect(Math.max(...pages)).toBeLessThanOrEqual(limit);
    }
  });

  it('a page is empty and has a cursor when the list scanned many items without a match', async () => {
    const list = numbers(5 * filteredItems);
    const none = { keep: () => false, positionOf: (n: number) => n };
    const page = await filterPage<number, number>({ limit: 10 }, list.readPage, none);
    expect(page).toEqual({ items: [], next: filteredItems - 1 });
    expect(list.read()).toBe(filteredItems);
    const { found } = await walk(5 * filteredItems, 10, 4 * filteredItems);
    expect(found).toEqual([0, 4 * filteredItems]);
  });

  it('a page without a filter reads no items beyond the page', async () => {
    const list = numbers(500);
    const page = await filterPage({ limit: 1 }, list.readPage, { keep: undefined, positionOf: (n) => n });
    expect([page, list.read()]).toEqual([{ items: [0], next: 0 }, 1]);
  });

  it('a page scans fewer items when each item costs more', async () => {
    const list = numbers(500);
    const none = { keep: () => false, positionOf: (n: number) => n, mostItems: 20 };
    expect([await filterPage({ limit: 1 }, list.readPage, none), list.read()]).toEqual([
      { items: [], next: 19 },
      20,
    ]);
  });

  it('a page without a filter queries the list once', async () => {
    const list = numbers(500);
    const page = await filterPage({ limit: 200 }, list.readPage, every(1));
    expect([page.items.length, page.next, list.read()]).toEqual([200, 199, 200]);
    expect(v.is(v.number(), page.next)).toBe(true);
  });
});
