import type { LevelIterator, Store } from 'dynalite/db/index.js';
import { Readable } from 'node:stream';
import { storedKey } from './item-keys.ts';

/** Items per read from the storage. dynalite reads them one by one, which makes queries slow. */
const BATCH = 256;

/** Makes the queries of a table read their range in batches. `range` has keys without the prefix of the table. */
export const fastRanges = (store: Store, table: string): void => {
  const items = store.getItemDb(table);
  items.createValueStream = (range) => Readable.from(values(store, storedKey(table, ''), range));
};

async function* values(store: Store, prefix: string, range: Readonly<Record<string, unknown>>) {
  for await (const batch of inBatches(store.db.values(prefixed(prefix, range)), BATCH)) yield* batch;
}

/**
 * All entries of a storage iterator, up to `size` per read. Closes the iterator at the end, or when the caller stops.
 */
export async function* inBatches<T>(iterator: LevelIterator<T>, size: number): AsyncGenerator<T[], void> {
  try {
    for (;;) {
      const batch = await iterator.nextv(size);
      if (batch.length === 0) return;
      yield batch;
    }
  } finally {
    await iterator.close();
  }
}

/** A range of keys without the prefix of their table, as a range of keys of the storage. */
export const prefixed = (prefix: string, range: Readonly<Record<string, unknown>>): object => {
  const bounds: Record<string, unknown> = { ...range };
  for (const bound of ['gt', 'gte', 'lt', 'lte'])
    if (typeof range[bound] === 'string') bounds[bound] = prefix + range[bound];

  if (bounds['gt'] === undefined && bounds['gte'] === undefined) bounds['gte'] = prefix;
  if (bounds['lt'] === undefined && bounds['lte'] === undefined) bounds['lt'] = `${prefix}\xff`;
  return bounds;
};
