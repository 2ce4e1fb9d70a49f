import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { brandKey, categoryKey } from '../../shared/catalogue/brand-keys.ts';
import { readContent, storeContent } from '../../shared/catalogue/brand-content.ts';
import { cachedBrandVersions, type BrandVersions } from '../../shared/catalogue/brand-versions.ts';
import { beginLoad, commitLoad, stagePart } from '../../shared/brands/load.ts';
import { openPointer, readPointer } from '../../shared/catalogue/brand-pointer.ts';
import { readBrandStatus } from '../../shared/brands/brand-status.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { keys } from '../../shared/table/keys.ts';
import { MemoryTable } from '../support/memory-table.ts';

const PAGE = ['p', 'Harbour', 'Places > By the sea'];

const harness = () => {
  const reads = { pointer: 0 };
  const table = new MemoryTable((operation, [key]) => {
    if (operation === 'get' && key?.pk === keys.brandPointer.pk) reads.pointer += 1;
  });
  const clock = { now: 1_000_000 };
  const deps = { table, clock: () => clock.now, ids: systemIds, pause: () => Promise.resolve() };
  const load = async (rows: readonly (readonly string[])[], { parts = 1, pages = rows.length } = {}) => {
    const { version } = await beginLoad(deps);
    const staged = await stagePart(deps, { version, part: 0, rows });
    return staged.ok ? commitLoad(deps, { version, parts, pages }) : staged;
  };
  const property = async () => {
    await openPointer(table);
    await table.put(keys.listedProperty(7), { property: 7 });
    await table.put(keys.property(7), { account: 1, name: 'P', created: 0, wrappedKey: new Uint8Array(1) });
  };
  const names = (times: BrandVersions) =>
    times
      .at(clock.now)
      .segmentsOf('p')
      .map(([, { path, name }]) => [...path, name].join(' / '));
  return { table, reads, clock, deps, load, property, names, brands: cachedBrandVersions(deps) };
};

describe('a load', () => {
  it('takes effect at once while there is no property', async () => {
    const { load, names, brands } = harness();
    expect(names(await brands())).toEqual(['Brands / Uncategorised / p']);
    expect(await load([PAGE])).toMatchObject({ ok: true, value: { version: 1, pages: 1 } });
    expect(names(await brands())).toEqual([
      'Brands / Places / By the sea / Harbour',
      'Brands / Places / Places',
      'Brands / Places / By the sea / Places > By the sea',
    ]);
  });

  it('changes nothing before its commit, or if it is refused', async () => {
    const { table, deps, load, brands } = harness();
    const known = await brands();
    const { version } = await beginLoad(deps);
    await stagePart(deps, { version, part: 0, rows: [PAGE] });
    for (const [parts, pages] of [
      [2, 1],
      [1, 2],
      [0, 1],
    ] as const)
      expect(await commitLoad(deps, { version, parts, pages })).toMatchObject({
        error: { code: 'invalid_catalogue' },
      });
    expect(await load([PAGE, PAGE])).toMatchObject({ error: { code: 'invalid_catalogue' } });
    expect(await load([['p', '', 'x']])).toMatchObject({
      error: { message: 'Row 1 of part 0: brand is empty.' },
    });
    expect(await readPointer(table)).toEqual({ current: null, next: null });
    expect(known.all).toHaveLength(1);
  });

  it('can be repeated at any step: parts and commit', async () => {
    const { deps, table } = harness();
    const { version } = await beginLoad(deps);
    for (let times = 0; times < 2; times += 1) await stagePart(deps, { version, part: 0, rows: [PAGE] });
    const commit = () => commitLoad(deps, { version, parts: 1, pages: 1 });
    expect(await commit()).toMatchObject({ ok: true });
    const { w } = await readPointer(table);
    expect(await commit()).toMatchObject({ ok: true, value: { version, pages: 1 } });
    expect((await readPointer(table)).w).toBe(w);
  });

  it('is read back as stored, including paths whose levels look alike when joined', async () => {
    const { table } = harness();
    const common = { brand: 'X', born: 1 };
    const content = {
      pages: [
        { ...common, page: '1', category: ['A', 'BC'], key: brandKey('1'), mergedFrom: brandKey('2') },
        { ...common, page: '2', category: ['AB', 'C'], key: brandKey('2', 3), born: 3 },
        { ...common, page: '3', brand: null, category: [], key: brandKey('1') },
      ],
      categories: [{ path: ['A', 'BC'], key: categoryKey(['Z']) }],
    };
    expect(await readContent(table, await storeContent(table, 'n', content))).toEqual(content);
  });

  it('waits for the previous load, and reports the wait', async () => {
    const { load, property, table } = harness();
    await property();
    expect(await load([PAGE])).toMatchObject({ ok: true });
    expect(await load([PAGE])).toMatchObject({ ok: false, error: { code: 'load_under_way' } });
    expect(await readBrandStatus(table)).toEqual({
      current: 'none',
      next: 'version 1, 1 pages, being prepared',
      progress: [{ properties: 1, state: 'waiting' }],
      waiting: [{ property: 7, state: 'waiting' }],
    });
  });

  it('is refused after a later load has overtaken it', async () => {
    const { load, deps } = harness();
    const { version } = await beginLoad(deps);
    await stagePart(deps, { version, part: 0, rows: [PAGE] });
    await load([PAGE]);
    expect(await commitLoad(deps, { version, parts: 1, pages: 1 })).toMatchObject({
      error: { code: 'stale_load' },
    });
  });

  it('is refused if it has too many brands of one name', async () => {
    const rows = Array.from({ length: limits.brands.sameName + 1 }, (_, at) => [`${at}`, 'Same', `C${at}`]);
    expect(await harness().load(rows)).toMatchObject({ error: { code: 'invalid_catalogue' } });
  });
});

describe('a process that uses brands', () => {
  it('changes version by its own clock at the time that was set', async () => {
    const { load, property, names, brands, clock, table } = harness();
    await property();
    await load([PAGE]);
    const effective = clock.now + 20_000;
    const { next } = await readPointer(table);
    if (!next) throw new Error('no next version');
    await table.put(keys.brandPointer, { current: null, next: { ...next, effective } });
    clock.now = effective - 1;
    expect(names(await brands())).toEqual(['Brands / Uncategorised / p']);
    clock.now = effective;
    expect(names(await brands())[0]).toBe('Brands / Places / By the sea / Harbour');
    expect((await brands()).previous(clock.now)?.version).toBe(0);
  });

  it('reads the versions once every few seconds, whether or not there is a version', async () => {
    const { load, brands, reads, clock, property } = harness();
    await property();
    const asked = reads.pointer;
    for (let times = 0; times < 3; times += 1) expect((await brands()).all).toHaveLength(1);
    expect(reads.pointer).toBe(asked + 1);
    await load([PAGE]);
    clock.now += limits.brands.refreshSeconds * 1000 - 1;
    expect((await brands()).all).toHaveLength(1);
    clock.now += 1;
    expect((await brands()).all).toHaveLength(2);
  });

  it('reads the versions again after a few seconds, and fails when the read fails', async () => {
    let reads = 0;
    let fails = false;
    const table = new MemoryTable(() => {
      reads += 1;
      if (fails) throw new Error('down');
    });
    const clock = { now: 0 };
    const deps = { table, clock: () => clock.now, ids: systemIds, pause: () => Promise.resolve() };
    const { version } = await beginLoad(deps);
    await stagePart(deps, { version, part: 0, rows: [PAGE] });
    expect(await commitLoad(deps, { version, parts: 1, pages: 1 })).toMatchObject({ ok: true });
    const brands = cachedBrandVersions(deps);
    const known = await brands();
    reads = 1;
    expect(await brands()).toBe(known);
    expect(reads).toBe(1);
    clock.now += limits.brands.refreshSeconds * 1000;
    expect(await brands()).toBe(known);
    expect(reads).toBe(2);
    fails = true;
    clock.now += limits.brands.refreshSeconds * 1000;
    await expect(brands()).rejects.toThrow('down');
    fails = false;
    expect(await brands()).toBe(known);
  });
});
