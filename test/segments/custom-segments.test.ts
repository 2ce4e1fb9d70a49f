import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { everyoneId } from '../../shared/catalogue/identity.ts';
import { keys } from '../../shared/table/keys.ts';
import { dyingAnywhere } from '../support/death.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { property, referencesHarness } from '../references/harness.ts';

const everyone = everyoneId(property);
const count = async (table: MemoryTable, name: 'custom-count' | 'segment-count'): Promise<unknown> =>
  (await table.get(keys.counter(property, name)))?.['value'] ?? 0;

describe('a custom segment', () => {
  it('is replaced by an edit: the old id stays readable, keeps its meaning, and is in no list', async () => {
    const harness = referencesHarness(new MemoryTable());
    const { id: old = 0 } = await harness.makeSegment(everyone, 'Old');
    const { id = 0 } = await harness.editSegment(old, { not: everyone }, 'New');
    expect(id).toBeGreaterThan(old);
    const read = async (one: number) => (await harness.catalogue.get(property, one))?.custom;
    expect(await read(old)).toMatchObject({ definition: everyone, replaced_by: id });
    expect(await read(id)).toMatchObject({ definition: { not: everyone }, replaced_by: null });
    expect((await harness.catalogue.find(property, 'old', { limit: 10 })).items).toEqual([]);
    const listed = await harness.catalogue.list(property, { limit: 10 });
    expect(listed.items.map(({ name }) => name)).toEqual(['everyone', 'New']);
  });

  it('is current in processes that have read an earlier version', async () => {
    const table = new MemoryTable();
    const [one, other] = [referencesHarness(table), referencesHarness(table)];
    const { id = 0 } = await one.makeSegment(everyone);
    expect(await other.catalogue.get(property, id)).toBeDefined();
    const { id: next } = await one.editSegment(id, everyone);
    expect((await other.catalogue.get(property, id))?.custom?.replaced_by).toBe(next);
    await one.deleteSegment(next ?? 0);
    expect(await other.catalogue.get(property, next ?? 0)).toBeUndefined();
  });

  it('can be edited and deleted only while it is current; segments of other kinds cannot', async () => {
    const harness = referencesHarness(new MemoryTable());
    const identity = { type: 'brand', path: ['Brands'], name: 'a', key: 'page:a' } as const;
    const [brand = 0] = (await harness.catalogue.idsOf(property, [identity])).values();
    const { id: replaced = 0 } = await harness.makeSegment(everyone);
    await harness.editSegment(replaced, everyone);
    for (const id of [brand, everyone, replaced]) {
      expect(await harness.editSegment(id, everyone)).toEqual({ status: 409, code: 'state_conflict' });
      expect(await harness.deleteSegment(id)).toEqual({ status: 409, code: 'state_conflict' });
    }
    for (const id of [everyone + 999, 1])
      for (const act of [harness.deleteSegment, (one: number) => harness.editSegment(one, 1)])
        expect(await act(id)).toEqual({ status: 404, code: 'not_found' });
  });

  it('is in use by current custom segments, collections and pending exports only', async () => {
    const harness = referencesHarness(new MemoryTable());
    const { id = 0 } = await harness.makeSegment(everyone);
    const inUse = { status: 409, code: 'in_use' };
    const { id: user = 0 } = await harness.makeSegment({ not: id });
    expect(await harness.deleteSegment(id)).toEqual(inUse);
    const { id: successor = 0 } = await harness.editSegment(user, everyone);
    const { id: collection = 0 } = await harness.makeCollection([id, everyone]);
    expect(await harness.deleteSegment(id)).toEqual(inUse);
    await harness.editCollection(collection, [everyone]);
    const { id: exported = 0 } = await harness.makeExport({ segment: [id], collection: [collection] });
    expect(await harness.deleteSegment(id)).toEqual(inUse);
    expect(await harness.deleteCollection(collection)).toEqual(inUse);
    await harness.endExport(exported);
    expect(await harness.deleteSegment(id)).toEqual({ status: 200, id });
    expect(await harness.deleteSegment(id)).toEqual({ status: 404, code: 'not_found' });
    expect(await harness.deleteCollection(collection)).toEqual({ status: 200, id: collection });
    // The replaced segment that names it is still there, and keeps its meaning.
    const { custom } = (await harness.catalogue.get(property, user)) ?? {};
    expect(custom).toMatchObject({ definition: { not: id }, members: { not: everyone } });
    expect(custom?.replaced_by).toBe(successor);
    const unknown = { status: 422, code: 'unknown_reference' };
    expect(await harness.makeSegment({ not: id })).toEqual(unknown);
    expect(await harness.makeCollection([everyone, id])).toEqual(unknown);
    expect(await harness.makeExport({ segment: [id] })).toEqual(unknown);
    expect(await harness.makeExport({ collection: [collection] })).toEqual(unknown);
  });

  it('uses quota until it is deleted; an edit uses no further quota', async () => {
    const table = new MemoryTable();
    const harness = referencesHarness(table);
    const value = limits.segments.customPerProperty - 1;
    await table.put(keys.counter(property, 'custom-count'), { value, changes: [] });
    const { id = 0 } = await harness.makeSegment(everyone);
    expect(await harness.makeSegment(everyone)).toEqual({ status: 409, code: 'segment_limit' });
    const { id: next = 0 } = await harness.editSegment(id, { not: everyone });
    expect(await harness.deleteSegment(next)).toMatchObject({ status: 200 });
    expect([await count(table, 'custom-count'), await count(table, 'segment-count')]).toEqual([
      limits.segments.customPerProperty - 1,
      0,
    ]);
    await table.put(keys.counter(property, 'segment-count'), {
      value: limits.segments.perProperty,
      changes: [],
    });
    expect(await harness.makeSegment(everyone)).toEqual({ status: 409, code: 'segment_limit' });
    expect(await count(table, 'custom-count')).toBe(limits.segments.customPerProperty - 1);
  });

  it('leaves nothing in the table after its deletion, and neither do its deleted users', async () => {
    const table = new MemoryTable();
    const harness = referencesHarness(table);
    const { id = 0 } = await harness.makeSegment(everyone);
    const { id: user = 0 } = await harness.makeSegment({ all: [id, everyone] });
    await harness.deleteSegment(user);
    await harness.deleteSegment(id);
    const counters = ['segment', 'custom-count', 'segment-count'].map((name) => `COUNTER#${name}`);
    expect(table.items().map(({ sk }) => sk)).toEqual(counters);
  });
});

describe('an edit that crashes', () => {
  it('is either complete or without effect, whichever step it crashed at', () =>
    dyingAnywhere({
      begin: async (tick) => {
        const table = new MemoryTable(tick);
        const harness = referencesHarness(table);
        const { id: named = 0 } = await harness.makeSegment(everyone, 'named');
        const { id: old = 0 } = await harness.makeSegment(everyone, 'one');
        return { table, harness, named, old };
      },
      run: ({ harness, named, old }) => harness.editSegment(old, { not: named }, 'two'),
      check: async ({ table, harness, named, old }) => {
        const { items: segments } = await referencesHarness(table).catalogue.list(property, { limit: 10 });
        const names = segments.map(({ name }) => name).slice(2);
        expect([['one'], ['two']]).toContainEqual(names);
        const replaced = (await harness.catalogue.get(property, old))?.custom?.replaced_by;
        expect(replaced === null).toBe(names[0] === 'one');
        const current = segments.at(-1)?.id ?? 0;
        expect(await harness.deleteSegment(named)).toMatchObject({ status: names[0] === 'two' ? 409 : 200 });
        expect(await harness.editSegment(current, everyone, 'three')).toMatchObject({ status: 200 });
      },
    }));
});
