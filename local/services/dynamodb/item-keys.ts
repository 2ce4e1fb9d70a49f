import db from 'dynalite/db/index.js';
import { hash } from 'node:crypto';
import type { Item, KeySchemaTable } from './types.ts';

const hex = (text: string): string => Buffer.from(text, 'utf8').toString('hex');

/**
 * The storage key of an item. It equals the text of dynalite's `createKey`, which dynalite's actions use. dynalite
 * determines the types again for every item and hashes in pieces, which takes a tenth of the storage time of an import.
 * Here text keys, which almost all keys are, take a fast path.
 */
export const itemKey = (table: KeySchemaTable, item: Item): string => {
  let key = '';
  for (const { AttributeName, KeyType } of table.KeySchema) {
    const text = item[AttributeName]?.S;
    if (text === undefined) return db.createKey(item, table);
    if (KeyType === 'HASH') key = `${hash('md5', `Outliers${text}`).slice(0, 6)}/`;
    key += `${hex(text)}/`;
  }
  return key;
};

/** The storage key of an item's key. One storage holds all tables, and dynalite gives each table a prefix. */
export const storedKey = (table: string, key: string): string => `item-${table}~${key}`;

/** The table and the key of an item's key in the storage; undefined for other keys. */
export const tableOfKey = (stored: string): { readonly table: string; readonly key: string } | undefined => {
  const end = stored.indexOf('~');
  if (!stored.startsWith('item-') || end === -1) return undefined;
  return { table: stored.slice('item-'.length, end), key: stored.slice(end + 1) };
};
