import type { LevelWrite } from 'dynalite/db/index.js';
import * as v from 'valibot';
import type { Item } from './types.ts';

/** The storage behind the engine, in files or in memory. dynalite's actions use the same items. */
export interface Storage {
  /** The item with a key of the storage. */
  read(key: string): Item | undefined;
  /** Makes all writes or none. The writes survive the process once the promise is fulfilled, if there are files. */
  write(writes: readonly LevelWrite[]): Promise<void>;
  close(): Promise<void>;
}

const Stored = v.custom<Item>((item) => typeof item === 'object' && item !== null);

/** The item behind its JSON. */
export const parseItem = (text: string): Item => v.parse(Stored, JSON.parse(text));

/** A copy of an item as JSON keeps it, without undefined attributes. */
export const copyOf = (item: Item): Item => parseItem(JSON.stringify(item));
