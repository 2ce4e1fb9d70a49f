import * as v from 'valibot';
import type { Listed } from '../../runtime/pages.ts';
import type { QueryPage } from '../../table/table.ts';

/** Parses a page of a query into a page of a list. */
export const listedItems = <T>(page: QueryPage, schema: v.GenericSchema<unknown, T>): Listed<T> => {
  const items = page.items.map((item) => v.parse(schema, item));
  return page.next === undefined ? { items } : { items, next: page.next };
};
