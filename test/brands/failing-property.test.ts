import { expect, it } from 'vitest';
import { readProgress } from '../../shared/brands/progress.ts';
import { keys } from '../../shared/table/keys.ts';
import { scope } from '../profiles/harness.ts';
import { BrandHarness, MARGIN_MS } from './harness.ts';

it('a property whose work always fails does not withhold a new version of the brands from other properties', async () => {
  const harness = new BrandHarness(1);
  const broken = scope.id - 1;
  await harness.open();
  await harness.table.put(keys.listedProperty(broken), { property: broken });
  const set = { account: 1, name: 'P', created: harness.now, wrappedKey: new Uint8Array(1) };
  await harness.table.put(keys.property(broken), set);
  await harness.table.put(keys.brandProgress(broken), { version: 'broken' });
  const loaded = await harness.load([['1', 'Adidas', 'Sports']]);
  if (!loaded.ok) throw new Error(loaded.error.message);
  harness.now += 10 * MARGIN_MS;
  await expect(harness.advance()).rejects.toThrow('Invalid type');
  const { progress } = await readProgress(harness.table, scope.id, loaded.value.version);
  expect(progress?.state).toBe('prepared');
});
