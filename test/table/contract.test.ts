import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Key } from '../../shared/table/keys.ts';
import { workBudget } from '../../shared/runtime/work-budget.ts';
import type { Attributes, Table, Write } from '../../shared/table/table.ts';
import { engines, type Engine } from './engines.ts';

describe.each(engines)('the table %s', (_, open, fails) => {
  let engine: Engine;
  let table: Table;
  let partitions = 0;
  let pk = '';
  const key = (sk: string, at = pk): Key => ({ pk: at, sk });
  const insert = (sk: string, set: Attributes = {}): Write => ({ kind: 'insert', key: key(sk), set });
  const put = (...sks: string[]) => Promise.all(sks.map((sk) => table.put(key(sk), { n: sk })));
  const sorts = async (range?: Parameters<Table['query']>[1]) =>
    (await table.query(pk, range)).items.map(({ sk }) => sk);

  beforeAll(async () => {
    engine = await open();
    table = engine.table;
  });
  afterAll(() => engine.close());
  beforeEach(() => {
    partitions += 1;
    pk = `PARTITION#${partitions}`;
  });

  describe('an item', () => {
    it('comes back as it was put, with its key and a nonce', async () => {
      const set = {
        text: 'é\u0000"\\ 👩‍👩‍👧',
        empty: '',
        number: -0.5,
        big: 9_007_199_254_740_991,
        yes: true,
        nothing: null,
        bytes: new Uint8Array([0, 255, 7]),
        list: ['a', 1, [null, { x: [] }]],
        map: { 'a.b': { 'c"d': 1 } },
      };
      await table.put(key('1'), set);
      const item = await table.get(key('1'));
      expect(item).toMatchObject({ ...set, pk, sk: '1' });
      expect(item?.w).toBeTruthy();
      expect(await table.get(key('2'))).toBeUndefined();
    });

    it('replaced by put loses what was there and gets another nonce', async () => {
      await table.put(key('1'), { a: 1, b: 2 });
      const before = await table.get(key('1'));
      await table.put(key('1'), { a: 3 });
      const after = await table.get(key('1'));
      expect(after).not.toHaveProperty('b');
      expect(after?.w).not.toBe(before?.w);
    });

    it('is not changed by changing what was put or read', async () => {
      const list = ['a'];
      await table.put(key('1'), { list });
      list.push('b');
      expect((await table.get(key('1')))?.['list']).toEqual(['a']);
    });
  });

  describe('an insert', () => {
    it('goes through once', async () => {
      expect(await table.write(insert('1', { a: 1 }))).toBe('applied');
      expect(await table.write(insert('1', { a: 2 }))).toBe('refused');
      expect(await table.get(key('1'))).toMatchObject({ a: 1 });
    });

    it('has one winner of thirty', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 30 }, (_, a) => table.write(insert('1', { a }))),
      );
      expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(1);
      expect(await table.get(key('1'))).toMatchObject({ a: outcomes.indexOf('applied') });
    });
  });

  describe('an update', () => {
    it('sets some attributes, keeps the others, and needs the nonce it saw', async () => {
      await table.write(insert('1', { a: 1, b: 2 }));
      const { w = '' } = (await table.get(key('1'))) ?? {};
      const update: Write = { kind: 'update', key: key('1'), set: { a: 3, c: 4 }, expect: { w } };
      expect(await table.write(update)).toBe('applied');
      expect(await table.write(update)).toBe('refused');
      const item = await table.get(key('1'));
      expect(item).toMatchObject({ a: 3, b: 2, c: 4 });
      expect(item?.w).not.toBe(w);
    });

    it('may expect several attributes of any type, or nothing but that the item is there', async () => {
      await table.write(insert('1', { a: 1, b: 'x', c: true }));
      const update = (expected: Attributes): Promise<string> =>
        table.write({ kind: 'update', key: key('1'), set: { z: 1 }, expect: expected });
      expect(await update({ a: 1, b: 'x', c: true })).toBe('applied');
      expect(await update({ a: '1' })).toBe('refused');
      expect(await update({ a: 1, b: 'y' })).toBe('refused');
      expect(await update({ missing: 1 })).toBe('refused');
      expect(await update({})).toBe('applied');
    });

    it('of a missing item is refused and makes none', async () => {
      expect(await table.write({ kind: 'update', key: key('1'), set: { a: 1 }, expect: {} })).toBe('refused');
      expect(await table.get(key('1'))).toBeUndefined();
    });

    it('repeated until it goes through loses none of racing additions', async () => {
      await table.write(insert('1', { n: 0 }));
      const add = async (): Promise<void> => {
        for (;;) {
          const item = await table.get(key('1'));
          const set = { n: Number(item?.['n']) + 1 };
          const expected = { w: item?.w ?? '' };
          if ((await table.write({ kind: 'update', key: key('1'), set, expect: expected })) === 'applied')
            return;
        }
      };
      await Promise.all(Array.from({ length: 8 }, add));
      const sum = Number((await table.get(key('1')))?.['n']);
      expect(sum).toBeGreaterThanOrEqual(8);
      // An update that was overwritten before its lost answer was settled is told as refused, and is made again.
      if (!fails) expect(sum).toBe(8);
    });
  });

  describe('a delete', () => {
    const remove = (sk: string, expected: Attributes): Write => ({
      kind: 'delete',
      key: key(sk),
      expect: expected,
    });

    it('needs the state it expects', async () => {
      await table.write(insert('1', { a: 1 }));
      expect(await table.write(remove('1', { a: 2 }))).toBe('refused');
      expect(await table.get(key('1'))).toMatchObject({ a: 1 });
      expect(await table.write(remove('1', { a: 1 }))).toBe('gone');
      expect(await table.get(key('1'))).toBeUndefined();
    });

    it('of a missing item succeeds, whatever it expects, so nobody learns who deleted the item', async () => {
      await table.write(insert('1', { a: 1 }));
      const racers = await Promise.all(Array.from({ length: 5 }, () => table.write(remove('1', { a: 1 }))));
      expect(racers).toEqual(racers.map(() => 'gone'));
      expect(await table.writeMany([remove('2', { a: 1 }), remove('3', {})])).toEqual(['gone', 'gone']);
    });
  });

  describe('many at once', () => {
    it('each write has its own outcome, in the order asked', async () => {
      await put('00', '07', '70');
      const sks = Array.from({ length: 80 }, (_, index) => String(index).padStart(2, '0'));
      const outcomes = await table.writeMany(sks.map((sk) => insert(sk)));
      const refused = sks.filter((_, index) => outcomes[index] === 'refused');
      expect(refused).toEqual(['00', '07', '70']);
    });

    it('of every kind go together', async () => {
      await put('1', '2');
      const outcomes = await table.writeMany([
        insert('3'),
        { kind: 'update', key: key('1'), set: { n: 'x' }, expect: { n: '1' } },
        { kind: 'delete', key: key('2'), expect: {} },
        insert('1'.repeat(2)),
      ]);
      expect(outcomes).toEqual(['applied', 'applied', 'gone', 'applied']);
      expect(await sorts()).toEqual(['1', '11', '3']);
    });

    it('two writes on one key are an error, and none is made', async () => {
      const twice = [...Array.from({ length: 30 }, (_, index) => insert(`k${index}`)), insert('k0')];
      await expect(table.writeMany(twice)).rejects.toThrow('two writes on one key');
      expect(await sorts()).toEqual([]);
    });

    it('reads come in the order asked, twice where asked twice, with gaps', async () => {
      const sks = Array.from({ length: 130 }, (_, index) => String(index).padStart(3, '0'));
      await table.writeMany(sks.map((sk) => insert(sk)));
      const asked = [...sks].reverse().concat('x', '000');
      const found = await table.getMany(asked.map((sk) => key(sk)));
      expect(found.map((item) => item?.sk)).toEqual(asked.map((sk) => (sk === 'x' ? undefined : sk)));
      expect(await table.getMany([])).toEqual([]);
      expect(await table.writeMany([])).toEqual([]);
    });
  });

  describe('a query', () => {
    it('gives a partition in order of bytes, either way, and no other', async () => {
      await put('b', 'a', 'B', 'a#1', 'é');
      await table.put(key('c', `${pk}1`), {});
      expect(await sorts()).toEqual(['B', 'a', 'a#1', 'b', 'é']);
      expect(await sorts({ descending: true })).toEqual(['é', 'b', 'a#1', 'a', 'B']);
      expect(await table.query('NOBODY')).toEqual({ items: [] });
    });

    it('takes a prefix, or bounds that belong to it', async () => {
      await put('A#1', 'A#2', 'A#20', 'B#1', 'B#2');
      expect(await sorts({ prefix: 'A#' })).toEqual(['A#1', 'A#2', 'A#20']);
      expect(await sorts({ from: 'A#2', to: 'B#1' })).toEqual(['A#2', 'A#20', 'B#1']);
      expect(await sorts({ from: 'B#' })).toEqual(['B#1', 'B#2']);
      expect(await sorts({ to: 'A#2' })).toEqual(['A#1', 'A#2']);
    });

    it('takes a prefix or a bound that is empty: every key belongs to it', async () => {
      await put('a', 'b');
      for (const range of [{ prefix: '' }, { from: '' }]) expect(await sorts(range)).toEqual(['a', 'b']);
      expect(await sorts({ from: '', to: 'a' })).toEqual(['a']);
      expect(await sorts({ to: '' })).toEqual([]);
    });

    it('has nothing behind the bound at which it ends, either way', async () => {
      await put('a', 'b', 'c');
      for (const [descending, last] of [
        [false, 'c'],
        [true, 'a'],
      ] as const) {
        const range = { from: 'a', to: 'c', descending };
        expect(await table.query(pk, { ...range, after: last })).toEqual({ items: [] });
        const walked: string[] = [];
        for (let after: string | undefined, page = 0; page < 10; page += 1) {
          const { items, next } = await table.query(pk, { ...range, limit: 1, ...(after && { after }) });
          walked.push(...items.map(({ sk }) => sk));
          if (next === undefined) break;
          after = next;
        }
        expect(walked.at(-1)).toBe(last);
        expect(walked).toHaveLength(3);
      }
    });

    it.each([1, 2, 3, 7])('walks in pages of %i without a miss or a double, either way', async (limit) => {
      const sks = ['A#1', 'A#2', 'A#3', 'A#4', 'A#5', 'A#6'];
      await put(...sks, 'B#1', '@');
      for (const descending of [false, true]) {
        const walked: string[] = [];
        for (let after: string | undefined, page = 0; page < 10; page += 1) {
          const range = { prefix: 'A#', limit, descending, ...(after === undefined ? {} : { after }) };
          const { items, next } = await table.query(pk, range);
          walked.push(...items.map(({ sk }) => sk));
          after = next;
          if (next === undefined) break;
        }
        expect(walked).toEqual(descending ? [...sks].reverse() : sks);
      }
    });

    it('gives all of a partition over the megabyte that DynamoDB gives at once', async () => {
      const text = 'x'.repeat(150_000);
      const sks = Array.from({ length: 10 }, (_, index) => String(index));
      for (const sk of sks) await table.put(key(sk), { text });
      expect(await sorts()).toEqual(sks);
      expect(await sorts({ limit: 9 })).toHaveLength(9);
    });

    it('ends when the calls that it may make are used up, and goes on behind them', async () => {
      const text = 'x'.repeat(300_000);
      const all = Array.from({ length: 9 }, (_, index) => String(index));
      for (const sk of all) await table.put(key(sk), { text });
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const range = { limit: 9, work: workBudget(1), ...(after === undefined ? {} : { after }) };
        const page = await table.query(pk, range);
        expect(page.items.length).toBeLessThan(9);
        seen.push(...page.items.map(({ sk }) => sk));
        after = page.next;
      } while (after !== undefined);
      expect(seen).toEqual(all);
    });
  });

  describe('a counter', () => {
    it('starts at nothing, adds, and gives no value twice', async () => {
      const values = await Promise.all(Array.from({ length: 20 }, () => table.increment(key('n'), 3)));
      expect(new Set(values).size).toBe(20);
      expect(values.every((value) => value % 3 === 0)).toBe(true);
      // A lost answer may count twice: gaps are allowed.
      if (!fails) expect(Math.max(...values)).toBe(60);
    });

    it('may expire', async () => {
      await table.increment(key('n'), 1, { ttl: 1_800_000_000 });
      expect(await table.get(key('n'))).toMatchObject({ value: 1, ttl: 1_800_000_000 });
    });
  });
});
