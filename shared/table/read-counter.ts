import * as v from 'valibot';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

const counter = v.object({ value: v.number() });

/** How far the counter under a key has counted, read strongly; 0 before its first number. */
export const readCounter = async (table: Pick<Table, 'get'>, key: Key): Promise<number> => {
  const item = await table.get(key);
  return item ? v.parse(counter, item).value : 0;
};
