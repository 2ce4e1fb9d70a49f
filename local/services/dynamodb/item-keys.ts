import db from 'dynalite/db/index.js';
import { hash } from 'node:crypto';
import type { Item, KeySchemaTable } from './types.ts';

const hex = (text: string): string => Buffer.from(text, 'utf8').toString('hex');

/**
 * Where the storage keeps an item: the same text as dynalite's `createKey`, which its own actions use. That one finds out
 * the types anew for every item and hashes in pieces, a tenth of what an import costs the storage; keys of texts, as nearly
 * all are, take the short way.
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

/** The key of the storage for an item's key: it holds all tables, the items of each under a prefix that dynalite gives it. */
export const storedKey = (table: string, key: string): string => `item-${table}~${key}`;
