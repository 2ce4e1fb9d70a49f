import { expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { beginLoad, commitLoad, stagePart } from '../../shared/brands/load.ts';
import { readPointer } from '../../shared/catalogue/brand-pointer.ts';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { keys } from '../../shared/table/keys.ts';
import { authHarness, must } from '../auth/harness.ts';
import { memberships } from '../ingest/indexed-harness.ts';
import { accepted, scope } from '../profiles/harness.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { viewOf } from '../support/table-view.ts';
import { BrandHarness } from './harness.ts';

const row = ['1', 'Adidas', 'Sports'] as const;

/** Stores a person who likes a page of the first load. */
const storeAnn = (writer: ReturnType<BrandHarness['process']>) =>
  applyRecords(writer, scope, [accepted({ email: 'ann@example.org', social_likes: [{ id: '1' }] })], {
    attemptId: 'first',
    index: 'now',
  });

const expectSports = async (harness: BrandHarness): Promise<void> => {
  await harness.settle();
  const { indexed, derived } = await memberships(harness.table, harness.now);
  expect(JSON.stringify(derived)).toContain('Sports');
  expect(indexed).toEqual(derived);
};

it('people stored right after the first load, by a process that knew no brands, are in the segments of the load', async () => {
  const harness = new BrandHarness(1);
  const writer = harness.process();
  await writer.derivations.brands();
  await harness.load([row]);
  await harness.open();
  expect((await readPointer(harness.table)).current).toMatchObject({ version: 1 });
  await storeAnn(writer);
  await expectSports(harness);
});

it('people stored by a process that asked for brands seconds before the first load are in the segments of the load', async () => {
  const harness = new BrandHarness(1);
  await harness.open();
  const writer = harness.process();
  await writer.derivations.brands();
  await harness.load([row]);
  harness.now += limits.brands.refreshSeconds * 1000 - 1;
  await storeAnn(writer);
  await expectSports(harness);
});

it('people of a property that is created during the commit of the first load are in the segments of the load', async () => {
  const harness = new BrandHarness(1);
  const writer = harness.process();
  let opened = false;
  const table = viewOf(harness.table, {
    write: async (write) => {
      if (write.key.pk === keys.brandPointer.pk && !opened) {
        opened = true;
        await harness.open();
        await storeAnn(writer);
      }
      return harness.table.write(write);
    },
  });
  const operator = { ...harness.process(table), ids: systemIds };
  const { version } = await beginLoad(operator);
  await stagePart(operator, { version, part: 0, rows: [row] });
  expect(await commitLoad(operator, { version, parts: 1, pages: 1 })).toMatchObject({ ok: true });
  expect(await readPointer(harness.table)).toMatchObject({ current: null, next: { version: 1 } });
  await expectSports(harness);
});

it('the first load waits for a property that is partly created', async () => {
  for (let writes = 1; writes < 4; writes += 1) {
    let left = writes;
    const table = new MemoryTable((operation) => {
      left -= Number(operation === 'insert');
      if (left < 0) throw new Error('killed');
    });
    const { deps, run } = authHarness({ table });
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
