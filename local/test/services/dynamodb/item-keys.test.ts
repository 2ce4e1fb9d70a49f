import db from 'dynalite/db/index.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itemKey } from '../../../services/dynamodb/item-keys.ts';
import type { Item, KeySchemaTable } from '../../../services/dynamodb/types.ts';

type KeyType = 'S' | 'N' | 'B';
const tableOf = (partition: KeyType, sort?: KeyType): KeySchemaTable => ({
  TableName: 'things',
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    ...(sort ? [{ AttributeName: 'sk', KeyType: 'RANGE' } as const] : []),
  ],
  // In another order than the keys, as a template may have them.
  AttributeDefinitions: [
    ...(sort ? [{ AttributeName: 'sk', AttributeType: sort }] : []),
    { AttributeName: 'pk', AttributeType: partition },
  ],
});

const valueOf = {
  S: fc.string({ unit: 'binary', minLength: 1 }).map((text) => ({ S: text })),
  N: fc.integer().map((number) => ({ N: String(number) })),
  B: fc.uint8Array({ minLength: 1 }).map((bytes) => ({ B: Buffer.from(bytes).toString('base64') })),
};

describe('where an item is kept', () => {
  it.each<[KeyType, KeyType]>([
    ['S', 'S'],
    ['S', 'N'],
    ['N', 'S'],
    ['B', 'S'],
    ['N', 'B'],
  ])('keys of types %s and %s are as dynalite makes them', (partition, sort) => {
    const table = tableOf(partition, sort);
    fc.assert(
      fc.property(valueOf[partition], valueOf[sort], (pk, sk) => {
        const item: Item = { other: { S: 'x' }, sk, pk };
        expect(itemKey(table, item)).toBe(db.createKey(item, table));
      }),
    );
  });

  it('a key without a sort key too', () => {
    fc.assert(
      fc.property(valueOf.S, (pk) => {
        expect(itemKey(tableOf('S'), { pk })).toBe(db.createKey({ pk }, tableOf('S')));
      }),
    );
  });
});
