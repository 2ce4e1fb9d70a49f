import { describe, expect, it } from 'vitest';
import { brandKey, categoryKey } from '../../shared/catalogue/brand-keys.ts';
import { Brands, noBrands, type PageEntry } from '../../shared/catalogue/brands.ts';
import { customWrite, customSegmentOf } from '../../shared/catalogue/custom-items.ts';
import {
  dependsOnBrands,
  expandedSegments,
  memberIds,
  namedSegments,
  readItems,
  visibleSegments,
} from '../../shared/catalogue/segment-items.ts';
import type { Segment, SegmentExpression } from '../../shared/catalogue/types.ts';
import { commitWrite, deleteWrite } from '../../shared/references/lifecycle.ts';
import { keys } from '../../shared/table/keys.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { MemoryTable } from '../support/memory-table.ts';

const property = 7;
const id = (n: number): number => scopedId(property, n);
const tag = (n: number): Segment => ({ id: id(n), type: 'tag', path: ['Tags'], name: `t${n}` });
const custom = (n: number, definition: SegmentExpression) =>
  customSegmentOf(
    id(n),
    {
      ...{ name: `c${n}`, definition, members: definition, moments: [], created: 0 },
      created_by: { id: 1, email: 'ada@example.test', first_name: 'Ada', last_name: 'L' },
    },
    null,
  );
const store = (table: MemoryTable, { id: own, type, path, name }: Segment) =>
  table.put(keys.segment(property, own), { id: own, type, path: [...path], name });

const idsOf = (segments: readonly Segment[]): readonly number[] => segments.map((one) => one.id).sort();

describe('stage 1, readItems', () => {
  it('returns the items that exist, and reads nothing for no ids', async () => {
    let reads = 0;
    const table = new MemoryTable(() => void (reads += 1));
    await store(table, tag(2));
    reads = 0;
    expect(await readItems(table, property, [])).toEqual([]);
    expect(reads).toBe(0);
    const items = await readItems(table, property, [id(2), id(3)]);
    expect(items.map((item) => item['name'])).toEqual(['t2']);
  });
});

describe('stage 2, visibleSegments', () => {
  const visible = async (table: MemoryTable, ids: readonly number[]) =>
    visibleSegments(table, property, await readItems(table, property, ids));

  it('omits segments that are soft-deleted', async () => {
    const table = new MemoryTable();
    await store(table, tag(2));
    await table.write(customWrite(property, custom(3, id(2))));
    expect(idsOf(await visible(table, [id(2), id(3)]))).toEqual([id(2), id(3)]);
    const item = await table.get(keys.segment(property, id(3)));
    await table.write(deleteWrite(keys.segment(property, id(3)), item?.w ?? ''));
    expect(idsOf(await visible(table, [id(2), id(3)]))).toEqual([id(2)]);
  });

  it('shows a pending successor of release 0.2.0 only once the segment that it replaces names it', async () => {
    const table = new MemoryTable();
    await table.write(customWrite(property, custom(3, id(2))));
    // As release 0.2.0 stores a successor.
    const successor = customWrite(property, custom(4, id(2)));
    if (successor.kind !== 'insert') throw new Error('a custom segment is inserted');
    const set = { ...successor.set, lifecycle: 'pending', replaces: id(3) };
    await table.write({ ...successor, set });
    expect(idsOf(await visible(table, [id(3), id(4)]))).toEqual([id(3)]);
    const key = keys.segment(property, id(3));
    await table.write({ kind: 'update', key, set: { replaced_by: id(4) }, expect: {} });
    expect(idsOf(await visible(table, [id(4)]))).toEqual([id(4)]);
  });

  it('shows a pending moment of release 0.2.0 only once it is committed', async () => {
    const table = new MemoryTable();
    const key = keys.segment(property, id(5));
    const moment = { id: id(5), type: 'moment', path: [], name: 'm', lifecycle: 'pending', timeline: id(9) };
    await table.put(key, moment);
    expect(await visible(table, [id(5)])).toEqual([]);
    await table.write(commitWrite(key));
    expect(idsOf(await visible(table, [id(5)]))).toEqual([id(5)]);
  });
});

describe('stage 3, namedSegments', () => {
  const page = (name: string, brand: string | null, key = brandKey(name)): PageEntry => ({
    page: name,
    brand,
    category: brand === null ? [] : ['Shoes'],
    key,
    born: 1,
  });
  const brand = (n: number, name: string): Segment => ({
    ...{ id: id(n), type: 'brand', path: ['Brands', 'Uncategorised'], name },
  });
  const none = () => Promise.resolve(new Map<string, number>());

  it('concerns brands, categories and custom segments only', () => {
    expect(dependsOnBrands(tag(2))).toBe(false);
    expect(dependsOnBrands(brand(2, 'p'))).toBe(true);
    expect(dependsOnBrands({ ...brand(2, 'p'), type: 'CATEGORY' })).toBe(true);
    expect(dependsOnBrands(custom(2, id(3)))).toBe(true);
  });

  it('gives a brand the name and path of the version, and keeps its id', async () => {
    const brands = new Brands(1, { pages: [page('p1', 'Acme')], categories: [] });
    const [named] = await namedSegments([brand(2, 'p1')], brands, none);
    expect(named).toMatchObject({ id: id(2), name: 'Acme', path: ['Brands', 'Shoes'] });
    expect(await namedSegments([brand(2, 'p1')], noBrands, none)).toMatchObject([{ id: id(2), name: 'p1' }]);
  });

  it('names the successor of a retired brand by its id', async () => {
    const successor = brandKey('p1', 2);
    const brands = new Brands(2, { pages: [page('p1', 'New', successor)], categories: [] });
    const findKeys = () => Promise.resolve(new Map([[successor, id(8)]]));
    const [named] = await namedSegments([brand(2, 'p1')], brands, findKeys);
    expect(named).toMatchObject({ id: id(2), name: 'New', retired: { mergedInto: id(8) } });
  });

  it('does not retire a brand whose successor took over its id', async () => {
    const successor = brandKey('p1', 2);
    const brands = new Brands(2, { pages: [page('p1', 'New', successor)], categories: [] });
    const findKeys = () => Promise.resolve(new Map([[successor, id(2)]]));
    const [named] = await namedSegments([brand(2, 'p1')], brands, findKeys);
    expect(named).toMatchObject({ id: id(2), name: 'New' });
    expect(named?.retired).toBeUndefined();
  });

  it('retires a category that the version does not have, without a successor', async () => {
    const path = ['Brands', 'Hats'];
    const segment: Segment = { id: id(2), type: 'CATEGORY', path, name: 'Hats', key: categoryKey(['Hats']) };
    const brands = new Brands(1, { pages: [page('p1', 'Acme')], categories: [] });
    expect(await namedSegments([segment], brands, none)).toMatchObject([{ id: id(2), retired: {} }]);
  });
});

describe('stage 4, expandedSegments', () => {
  it('adds the successor of a retired brand to the members of a custom segment, and keeps its definition', () => {
    const definition = { not: id(2) };
    const retired = { ...tag(2), retired: { mergedInto: id(8) } };
    const [expanded] = expandedSegments([custom(3, definition)], [retired, tag(4)]);
    expect(expanded?.custom?.members).toEqual({ not: { any: [id(2), id(8)] } });
    expect(expanded?.custom?.definition).toEqual(definition);
  });

  it('returns the same segments when no brand is retired', () => {
    const segments = [custom(3, id(2)), tag(4)];
    expect(expandedSegments(segments, [tag(2)])).toBe(segments);
  });

  it('requires the ids of all members, each once', () => {
    expect(memberIds([custom(3, { any: [id(2), id(4)] }), custom(5, id(2)), tag(6)])).toEqual([id(2), id(4)]);
  });
});
