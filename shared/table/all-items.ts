import { pagesOf } from '../runtime/pages.ts';
import type { Range, StoredItem, Table } from './table.ts';

/** Reads all items of a partition, or those with a prefix, page by page: for partitions of limited size. */
export const allItems = async (
  table: Pick<Table, 'query'>,
  pk: string,
  range: Pick<Range, 'prefix'> = {},
): Promise<readonly StoredItem[]> => {
  const found: StoredItem[] = [];
  for await (const items of pagesOf((after) => table.query(pk, { ...range, after }))) found.push(...items);
  return found;
};
