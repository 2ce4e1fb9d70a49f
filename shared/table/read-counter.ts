import * as v from 'valibot';
import type { Key } from './keys.ts';
import type { StoredItem, Table } from './table.ts';

const counter = v.object({
  value: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  raised: v.optional(v.string()),
});

/** A counter: its last number, and the second of the restore for which it was raised last. */
export interface Counter {
  readonly value: number;
  readonly raised: string | null;
}

/** The counter in its item; 0 before its first number. */
export const counterIn = (item: StoredItem | undefined): Counter => {
  const { value, raised = null } = item ? v.parse(counter, item) : { value: 0 };
  return { value, raised };
};

/** How far the counter under a key has counted, read strongly; 0 before its first number. */
export const readCounter = async (table: Pick<Table, 'get'>, key: Key): Promise<number> =>
  counterIn(await table.get(key)).value;
