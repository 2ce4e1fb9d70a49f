import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Key } from '../../shared/table/keys.ts';
import type { Attributes, Table, Write } from '../../shared/table/table.ts';
import { engines, type Engine } from './engines.ts';

describe.each(engines)('a transaction of the table %s', (_, open) => {
  let engine: Engine;
  let table: Table;
  let partitions = 0;
  let pk = '';
  const key = (sk: string): Key => ({ pk, sk });
  const insert = (sk: string, set: Attributes = {}): Write => ({ kind: 'insert', key: key(sk), set });
  const put = (...sks: string[]) => Promise.all(sks.map((sk) => table.put(key(sk), { n: sk })));
  const sorts = async () => (await table.query(pk)).items.map(({ sk }) => sk);

  beforeAll(async () => {
    engine = await open();
    table = engine.table;
  });
  afterAll(() => engine.close());
  beforeEach(() => {
    partitions += 1;
    pk = `PARTITION#${partitions}`;
  });

  const update = (sk: string, set: Attributes, expected: Attributes): Write => ({
    kind: 'update',
    key: key(sk),
    set,
    expect: expected,
  });
  const remove = (sk: string, expected: Attributes = {}): Write => ({
    kind: 'delete',
    key: key(sk),
    expect: expected,
  });

  it('makes writes of every kind together', async () => {
    await put('1', '2');
    const refused = await table.transact([insert('3'), update('1', { n: 'x' }, { n: '1' }), remove('2')]);
    expect(refused).toEqual([]);
    expect(await table.get(key('1'))).toMatchObject({ n: 'x' });
    expect(await sorts()).toEqual(['1', '3']);
  });

  it('makes nothing when one write is refused, and says which', async () => {
    await put('1', '2', '4');
    const refused = await table.transact([
      insert('3'),
      update('1', { n: 'x' }, { n: 'another' }),
      remove('2'),
      insert('4'),
      remove('4'.repeat(2)),
    ]);
    expect(refused).toEqual([1, 3]);
    expect(await sorts()).toEqual(['1', '2', '4']);
    expect(await table.get(key('1'))).toMatchObject({ n: '1' });
  });

  it('takes a missing item for deleted, whatever the delete expects', async () => {
    expect(await table.transact([remove('1', { n: 'x' }), insert('2'), remove('3')])).toEqual([]);
    expect(await table.transact([remove('1', { n: 'x' }), insert('2')])).toEqual([1]);
    expect(await table.transact([remove('1', { n: 'x' })])).toEqual([]);
    expect(await sorts()).toEqual(['2']);
  });

  it('refuses a delete of an item that is not as expected', async () => {
    await put('1');
    expect(await table.transact([remove('1', { n: 'another' }), insert('2')])).toEqual([0]);
    expect(await sorts()).toEqual(['1']);
  });

  it('takes a hundred writes, and no more', async () => {
    const inserts = Array.from({ length: 101 }, (_, at) => insert(String(at).padStart(3, '0')));
    expect(await table.transact(inserts.slice(0, 100))).toEqual([]);
    expect(await sorts()).toHaveLength(100);
    await expect(table.transact(inserts)).rejects.toThrow('too many writes for a transaction');
  });

  it('refuses two writes on one key, as an error of its caller', async () => {
    await expect(table.transact([insert('1'), insert('1')])).rejects.toThrow('two writes on one key');
  });

  it('has one winner of twenty that take one name, each with an item of its own', async () => {
    const places = await Promise.all(
      Array.from({ length: 20 }, (_, at) => table.transact([insert(`thing ${at}`), insert('name', { at })])),
    );
    const winners = places.flatMap((refused, at) => (refused.length === 0 ? [at] : []));
    expect(winners).toHaveLength(1);
    expect(await table.get(key('name'))).toMatchObject({ at: winners[0] });
    expect(await sorts()).toEqual(['name', `thing ${winners[0]}`]);
  });

  it('beside single writes of the same items loses none of them', async () => {
    await Promise.all([table.put(key('1'), { n: 0 }), table.put(key('2'), { n: 0 })]);
    const add = async (write: (items: readonly Write[]) => Promise<boolean>): Promise<void> => {
      for (;;) {
        const items = await table.getMany([key('1'), key('2')]);
        const writes = items.map((item) =>
          update(item?.sk ?? '', { n: Number(item?.['n']) + 1 }, { w: item?.w ?? '' }),
        );
        if (await write(writes)) return;
      }
    };
    await Promise.all(
      Array.from({ length: 6 }, () => add(async (writes) => (await table.transact(writes)).length === 0)),
    );
    const [one, other] = await table.getMany([key('1'), key('2')]);
    expect(one?.['n']).toBe(other?.['n']);
    expect(Number(one?.['n'])).toBeGreaterThanOrEqual(6);
  });
});
