/** Items in memory: replaces the storage that dynalite makes for a table without files. */
import type { Level, LevelIterator, LevelWrite } from 'dynalite/db/index.js';
import * as v from 'valibot';
import { SortedKeys } from './sorted-keys.ts';
import { copyOf, type Storage } from './storage.ts';
import type { Item } from './types.ts';

/** A range of an iterator. A negative limit is none. */
const Range = v.object({
  gt: v.optional(v.string()),
  gte: v.optional(v.string()),
  lt: v.optional(v.string()),
  lte: v.optional(v.string()),
  reverse: v.optional(v.boolean(), false),
  limit: v.optional(v.number(), -1),
});

/**
 * Keeps items as objects, without copies in text or bytes. The engine never changes an item that it wrote or read.
 * dynalite's actions may, so they get and give copies. Ranges have no copies, because dynalite only reads their items.
 */
export const keepInMemory = (db: Level): Storage => {
  const items = new Map<string, Item>();
  const keys = new SortedKeys();
  let isClosed = false;
  const apply = (writes: readonly LevelWrite[]): void => {
    if (isClosed) throw new Error('Database is closed');
    for (const write of writes) {
      if (write.type === 'put') {
        if (!items.has(write.key)) keys.add(write.key);
        items.set(write.key, write.value);
      } else if (items.delete(write.key)) {
        keys.delete(write.key);
      }
    }
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    items.clear();
    await db.close();
  };
  db.batch = (writes, done) => {
    try {
      apply(writes);
    } catch (error) {
      if (!(done && error instanceof Error)) throw error;
      queueMicrotask(() => done(error));
      return undefined;
    }
    if (done) queueMicrotask(() => done(null));
    return undefined;
  };
  db.put = (key, value, done) => db.batch([{ type: 'put', key, value: copyOf(value) }], done);
  db.del = (key, done) => db.batch([{ type: 'del', key }], done);
  db.get = (key, done) => {
    const item = items.get(key);
    const copy = item && copyOf(item);
    queueMicrotask(() => done(null, copy));
  };
  db.keys = (range) => iterator(keys, range, (key) => key);
  db.values = (range) => iterator(keys, range, (key) => items.get(key) ?? {});
  return {
    read: (key) => items.get(key),
    write: (writes) => {
      apply(writes);
      return Promise.resolve();
    },
    close,
  };
};

/** Iterates over a range. Writes between two steps may change what follows, as in DynamoDB. */
const iterator = <T>(keys: SortedKeys, range: object, valueOf: (key: string) => T): LevelIterator<T> => {
  const { limit, reverse, ...bounds } = v.parse(Range, range);
  let left = limit < 0 ? Infinity : limit;
  let rest = { ...bounds, reverse };
  const take = (size: number): T[] => {
    const found = keys.take(rest, Math.min(size, left));
    left -= found.length;
    const last = found.at(-1);
    if (last !== undefined) rest = { ...rest, [reverse ? 'lt' : 'gt']: last };
    return found.map(valueOf);
  };
  return {
    nextv: (size) => Promise.resolve(take(size)),
    next: () => Promise.resolve(take(1)[0]),
    all: () => Promise.resolve(take(left)),
    close: () => Promise.resolve(),
  };
};
