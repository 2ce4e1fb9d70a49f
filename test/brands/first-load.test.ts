import { expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { beginLoad, commitLoad, stagePart } from '../../shared/brands/load.ts';
import { readPointer } from '../../shared/catalogue/brand-pointer.ts';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { keys } from '../../shared/table/keys.ts';
import { authWorld, must } from '../auth/world.ts';
import { memberships } from '../ingest/indexed-world.ts';
import { accepted, scope } from '../profiles/world.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { viewOf } from '../support/table-view.ts';
import { BrandWorld } from './harness.ts';

const row = ['1', 'Adidas', 'Sports'] as const;

/** Stores a person who likes a page of the first load. */
const storeAnn = (writer: ReturnType<BrandWorld['process']>) =>
  applyRecords(writer, scope, [accepted({ email: 'ann@example.org', social_likes: [{ id: '1' }] })], {
    attemptId: 'first',
    index: 'now',
  });

const expectSports = async (world: BrandWorld): Promise<void> => {
  await world.settle();
  const { indexed, derived } = await memberships(world.table, world.now);
  expect(JSON.stringify(derived)).toContain('Sports');
  expect(indexed).toEqual(derived);
};

it('people stored right after the first load, by a process that knew no brands, are in the segments of the load', async () => {
  const world = new BrandWorld(1);
  const writer = world.process();
  await writer.brands();
  await world.load([row]);
  await world.open();
  expect((await readPointer(world.table)).current).toMatchObject({ version: 1 });
  await storeAnn(writer);
  await expectSports(world);
});

it('people stored by a process that asked for brands seconds before the first load are in the segments of the load', async () => {
  const world = new BrandWorld(1);
  await world.open();
  const writer = world.process();
  await writer.brands();
  await world.load([row]);
  world.now += limits.brands.refreshSeconds * 1000 - 1;
  await storeAnn(writer);
  await expectSports(world);
});

it('people of a property that is created during the commit of the first load are in the segments of the load', async () => {
  const world = new BrandWorld(1);
  const writer = world.process();
  let opened = false;
  const table = viewOf(world.table, {
    write: async (write) => {
      if (write.key.pk === keys.brandPointer.pk && !opened) {
        opened = true;
        await world.open();
        await storeAnn(writer);
      }
      return world.table.write(write);
    },
  });
  const operator = { ...world.process(table), ids: systemIds };
  const { version } = await beginLoad(operator);
  await stagePart(operator, { version, part: 0, rows: [row] });
  expect(await commitLoad(operator, { version, parts: 1, pages: 1 })).toMatchObject({ ok: true });
  expect(await readPointer(world.table)).toMatchObject({ current: null, next: { version: 1 } });
  await expectSports(world);
});

it('the first load waits for a property that is partly created', async () => {
  for (let writes = 1; writes < 4; writes += 1) {
    let left = writes;
    const table = new MemoryTable((operation) => {
      left -= Number(operation === 'insert');
      if (left < 0) throw new Error('killed');
    });
    const { deps, run } = authWorld({ table });
    const { account } = must(await run({ command: 'account.create', name: 'Demo Ltd' }));
    await run({ command: 'property.create', account, name: 'Shop' }).catch(() => undefined);
    expect(table.items()).toHaveLength(writes);
    left = Infinity;
    const { version } = await beginLoad(deps);
    await stagePart(deps, { version, part: 0, rows: [row] });
    await commitLoad(deps, { version, parts: 1, pages: 1 });
    expect(await readPointer(table)).toMatchObject({ current: null, next: { version: 1 } });
  }
});
