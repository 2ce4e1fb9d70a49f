import * as v from 'valibot';
import { keys } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';
import { listedPropertyItem } from './items.ts';

/**
 * Properties of all accounts in order of creation, after `after`: for jobs that visit every property. `next`
 * goes into `after`; absent at the end.
 */
export const listAllProperties = async (
  table: Table,
  after?: string,
): Promise<{ readonly properties: readonly number[]; readonly next?: string }> => {
  const { items, next } = await table.query(keys.properties, after === undefined ? {} : { after });
  const ids = propertyIdsOf(items);
  const stored = await table.getMany(ids.map((id) => keys.property(id)));
  const properties = ids.filter((_, index) => stored[index] !== undefined);
  return next === undefined ? { properties } : { properties, next };
};

/** Property ids of the items of a list of properties. */
export const propertyIdsOf = (items: readonly StoredItem[]): readonly number[] =>
  items.map((item) => v.parse(listedPropertyItem, item).property);
