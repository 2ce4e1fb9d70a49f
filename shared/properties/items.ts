import * as v from 'valibot';
import { keys } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';
import type { Listed } from '../runtime/pages.ts';

/**
 * A property in the table of data: its creation time, and its master key, wrapped by KMS. It has its account, which never
 * changes, too: after a restore of one table the owner may be gone.
 */
export const propertyItem = v.object({
  account: v.pipe(v.number(), v.safeInteger()),
  created: v.number(),
  wrappedKey: v.instance(Uint8Array),
});

/** A property in the list of its account, and in the list of all properties. */
export const listedPropertyItem = v.object({ property: v.pipe(v.number(), v.safeInteger()) });

/**
 * A property has an owner and no data: it was made after the time to which the table of data was restored. Nothing else
 * makes such a property, so no use case handles it; the handler of requests answers it.
 */
export class NoPropertyDataError extends Error {
  override readonly name = 'NoPropertyDataError';
}

/**
 * Properties of all accounts in order of creation, after `after`: for jobs that visit every property. `next`
 * goes into `after`; absent at the end.
 */
export const listAllProperties = async (table: Table, after?: string): Promise<Listed<number>> => {
  const page = await table.query(keys.properties, { after });
  const ids = propertyIdsOf(page.items);
  const stored = await table.getMany(ids.map((id) => keys.property(id)));
  return { items: ids.filter((_, index) => stored[index] !== undefined), next: page.next };
};

/** Property ids of the items of a list of properties. */
export const propertyIdsOf = (items: readonly StoredItem[]): readonly number[] =>
  items.map((item) => v.parse(listedPropertyItem, item).property);

/** The account of a property by the table of data. Throws NoPropertyDataError when the property has no data. */
export const accountOf = async (table: Pick<Table, 'get'>, property: number): Promise<number> => {
  const item = await table.get(keys.property(property));
  if (!item) throw new NoPropertyDataError('the property has no data');
  return v.parse(propertyItem, item).account;
};
