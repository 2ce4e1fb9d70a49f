import type { StoredItem, Table } from './table.ts';

/** Reads all items of a partition, page by page: for partitions of limited size. */
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
