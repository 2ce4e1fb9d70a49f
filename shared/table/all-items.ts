import type { Range, StoredItem, Table } from './table.ts';

/** Reads all items of a partition, or those with a prefix, page by page: for partitions of limited size. */
export const allItems = async (
  table: Table,
  pk: string,
  range: Pick<Range, 'prefix'> = {},
): Promise<readonly StoredItem[]> => {
  const found: StoredItem[] = [];
  let after: string | undefined;
  do {
    const page = await table.query(pk, after === undefined ? range : { ...range, after });
    found.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return found;
};
