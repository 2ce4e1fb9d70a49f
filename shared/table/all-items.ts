import type { StoredItem, Table } from './table.ts';

/** All items of a partition, page by page: for partitions whose size has a limit. */
export const allItems = async (table: Table, pk: string): Promise<readonly StoredItem[]> => {
  const found: StoredItem[] = [];
  let after: string | undefined;
  do {
    const page = await table.query(pk, after === undefined ? {} : { after });
    found.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return found;
};
