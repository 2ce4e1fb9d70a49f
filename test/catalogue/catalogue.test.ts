import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { consentSegment, everyone, everyoneOf, identityKey } from '../../shared/catalogue/identity.ts';
import type { SegmentIdentity } from '../../shared/catalogue/types.ts';
import { keys } from '../../shared/table/keys.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { dyingAnywhere } from '../support/death.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { withoutBrands } from '../support/brands.ts';

const tag = (name: string): SegmentIdentity => ({ type: 'tag', path: ['Tags'], name });
const tags = (count: number): readonly SegmentIdentity[] =>
  Array.from({ length: count }, (_, index) => tag(`tag ${index}`));
const property = 3;

/** Names of all segments, read in pages of `limit`. */
const walk = async (table: MemoryTable, limit: number): Promise<readonly string[]> => {
  const catalogue = segmentCatalogue({ table, ...withoutBrands });
  const names: string[] = [];
  let after: number | undefined;
  do {
    const page = await catalogue.list(property, { limit, after });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    names.push(...page.items.map(({ name }) => name));
    after = page.next;
  } while (after !== undefined);
  return names;
};

describe('the segment catalogue', () => {
  it('always returns the same id for a segment identity', async () => {
    const table = new MemoryTable();
    const first = await segmentCatalogue({ table, ...withoutBrands }).idsOf(property, tags(20));
    const again = await segmentCatalogue({ table, ...withoutBrands }).idsOf(property, tags(20).toReversed());
    expect([...again].sort()).toEqual([...first].sort());
    expect(new Set(first.values()).size).toBe(20);
  });

  it('has the segment everyone built in', async () => {
    const table = new MemoryTable();
    const catalogue = segmentCatalogue({ table, ...withoutBrands });
    const ids = await catalogue.idsOf(property, [everyoneOf(property)]);
    expect(ids.get(identityKey(everyone))).toBe(scopedId(property, 1));
    expect(table.items()).toEqual([]);
    expect(await catalogue.get(property, scopedId(property, 1))).toEqual({ ...everyone, id: 3_000_000_001 });
    expect((await catalogue.find(property, 'EVERYONE', { limit: 10 })).items).toHaveLength(1);
  });

  it('creates one segment when many callers meet a tag at once', async () => {
    const table = new MemoryTable(() => new Promise(setImmediate));
    const racers = Array.from({ length: 20 }, () =>
      segmentCatalogue({ table, ...withoutBrands }).idsOf(property, tags(30)),
    );
    const ids = await Promise.all(racers);
    expect(new Set(ids.map((one) => JSON.stringify([...one].sort()))).size).toBe(1);
    expect(table.items().filter(({ pk }) => pk.includes('#SEGMENTS#'))).toHaveLength(30);
    expect(await table.get(keys.counter(property, 'segment-count'))).toMatchObject({ value: 30 });
  });

  it('is complete after a creator has stopped at any step', () =>
    dyingAnywhere({
      begin: (tick) => Promise.resolve(new MemoryTable(tick)),
      run: (table) => segmentCatalogue({ table, ...withoutBrands }).idsOf(property, tags(3)),
      check: async (table) => {
        const catalogue = segmentCatalogue({ table, ...withoutBrands });
        const ids = await catalogue.idsOf(property, tags(3));
        for (const identity of tags(3)) {
          const id = ids.get(identityKey(identity)) ?? 0;
          expect(await catalogue.get(property, id)).toEqual({ ...identity, id });
          expect((await catalogue.find(property, identity.name, { limit: 10 })).items).toEqual([
            { ...identity, id },
          ]);
        }
      },
    }));

  it('reads nothing from the table for known segments', async () => {
    let calls = 0;
    const table = new MemoryTable(() => {
      calls += 1;
    });
    const catalogue = segmentCatalogue({ table, ...withoutBrands });
    const ids = await catalogue.idsOf(property, tags(5));
    await catalogue.getMany(property, [...ids.values()]);
    calls = 0;
    await catalogue.idsOf(property, tags(5));
    await catalogue.getMany(property, [...ids.values()]);
    expect(calls).toBe(0);
  });

  it('lists all segments in order of id, in pages of any size', async () => {
    const table = new MemoryTable();
    await segmentCatalogue({ table, ...withoutBrands }).idsOf(property, tags(100));
    const names = ['everyone', ...tags(100).map(({ name }) => name)];
    for (const limit of [1, 7, 50, 101, 1000]) expect(await walk(table, limit)).toEqual(names);
  });

  it('finds segments by the whole name, ignoring case and Unicode form, in pages', async () => {
    const table = new MemoryTable();
    const catalogue = segmentCatalogue({ table, ...withoutBrands });
    const alike = [tag('Caf\u00e9'), tag('CAF\u00c9'), { ...tag('caf\u00e9'), type: 'source' as const }];
    await catalogue.idsOf(property, [...alike, tag('caf\u00e9 2'), tag('caf')]);
    const first = await catalogue.find(property, 'cafe\u0301', { limit: 2 });
    const second = await catalogue.find(property, 'cafe\u0301', { limit: 2, after: first.next });
    expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(alike.map(({ name }) => name));
    expect(second.next).toBeUndefined();
    expect((await catalogue.find(property, 'unheard of', { limit: 2 })).items).toEqual([]);
  });

  it('keeps properties apart', async () => {
    const table = new MemoryTable();
    const catalogue = segmentCatalogue({ table, ...withoutBrands });
    const [id = 0] = (await catalogue.idsOf(property, tags(1))).values();
    expect(await catalogue.get(4, id)).toBeUndefined();
    expect((await catalogue.find(4, 'tag 0', { limit: 10 })).items).toEqual([]);
    expect((await catalogue.idsOf(4, tags(1))).get(identityKey(tag('tag 0')))).not.toBe(id);
  });

  it('issues no id beyond the limit, and still returns the ids that it issued', async () => {
    const table = new MemoryTable();
    const counter = keys.counter(property, 'segment-count');
    await table.put(counter, { value: limits.segments.perProperty - 2, changes: [] });
    const ids = await segmentCatalogue({ table, ...withoutBrands }).idsOf(property, tags(5));
    expect(ids.size).toBe(2);
    expect(await table.get(counter)).toMatchObject({ value: limits.segments.perProperty });
    expect(await segmentCatalogue({ table, ...withoutBrands }).idsOf(property, tags(5))).toEqual(ids);
  });

  it('issues ids for consent beyond the limit, from a reserve that ends too', async () => {
    const table = new MemoryTable();
    const { perProperty, consentReserve } = limits.segments;
    const counter = keys.counter(property, 'segment-count');
    await table.put(counter, { value: perProperty, changes: [] });
    const catalogue = segmentCatalogue({ table, ...withoutBrands });
    const consents = (count: number) =>
      Array.from({ length: count }, (_, n) => consentSegment(`channel-${n}`, 'given'));
    const first = await catalogue.idsOf(property, [...tags(2), ...consents(2)]);
    expect([...first.keys()]).toEqual(consents(2).map(identityKey));
    expect(await catalogue.hasRoom(property, tag('more'))).toBe(false);
    const [one = consentSegment('email', 'given')] = consents(1);
    expect(await catalogue.hasRoom(property, one)).toBe(true);
    const all = await catalogue.idsOf(property, consents(consentReserve + 5));
    expect(all.size).toBe(consentReserve);
    expect(await table.get(counter)).toMatchObject({ value: perProperty + consentReserve });
    expect(await catalogue.hasRoom(property, one)).toBe(false);
  });

  it('never exceeds the limit when many callers race for the last quota', async () => {
    const table = new MemoryTable(() => new Promise(setImmediate));
    const value = limits.segments.perProperty - 10;
    await table.put(keys.counter(property, 'segment-count'), { value, changes: [] });
    await Promise.all(
      Array.from({ length: 8 }, (_, racer) =>
        segmentCatalogue({ table, ...withoutBrands }).idsOf(
          property,
          [1, 2, 3].map((n) => tag(`${racer} ${n}`)),
        ),
      ),
    );
    expect(table.items().filter(({ pk }) => pk.includes('#SEGMENTS#'))).toHaveLength(10);
  });
});
