import { expect, it } from 'vitest';
import { keys } from '../../shared/table/keys.ts';
import { allItems } from '../../shared/table/all-items.ts';
import type { QueryPage, Range } from '../../shared/table/table.ts';
import { MemoryTable } from '../support/memory-table.ts';

/** A table whose pages end after two items, as DynamoDB's do after a megabyte. */
class PagedTable extends MemoryTable {
  override query(pk: string, range: Range = {}): Promise<QueryPage> {
    return super.query(pk, { ...range, limit: 2 });
  }
}

it.each([0, 1, 2, 3, 5])('all of %d items of a partition are read, in order', async (count) => {
  const table = new PagedTable();
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  for (const id of ids) await table.put(keys.moment(7, id), { segment: id });
  await table.put(keys.moment(8, 1), { segment: 99 });
  expect((await allItems(table, keys.moments(7))).map((item) => item['segment'])).toEqual(ids);
});
