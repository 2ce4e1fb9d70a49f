import * as v from 'valibot';
import type { StoredItem } from './table.ts';

/** A stored value and its version: the write nonce of the state that was read, for a conditional write. */
export interface Versioned<T> {
  readonly value: T;
  readonly w: string;
}

/** Parses items as values with their versions; `undefined` stays `undefined`. Throws for an item of another shape. */
export const versioned =
  <T>(schema: v.GenericSchema<unknown, T>) =>
  (item: StoredItem | undefined): Versioned<T> | undefined =>
    item && { value: v.parse(schema, item), w: item.w };
