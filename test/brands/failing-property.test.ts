import { expect, it } from 'vitest';
import { readProgress } from '../../shared/brands/progress.ts';
import { keys } from '../../shared/table/keys.ts';
import { scope } from '../profiles/world.ts';
import { BrandWorld, MARGIN_MS } from './harness.ts';

it('a property whose work always fails does not withhold a new version of the brands from other properties', async () => {
  const world = new BrandWorld(1);
  const broken = scope.id - 1;
  await world.open();
  await world.table.put(keys.listedProperty(broken), { property: broken });
  const set = { account: 1, name: 'P', created: world.now, wrappedKey: new Uint8Array(1) };
  await world.table.put(keys.property(broken), set);
  await world.table.put(keys.brandProgress(broken), { version: 'broken' });
  const loaded = await world.load([['1', 'Adidas', 'Sports']]);
  if (!loaded.ok) throw new Error(loaded.error.message);
  world.now += 10 * MARGIN_MS;
  await expect(world.advance()).rejects.toThrow('Invalid type');
  const { progress } = await readProgress(world.table, scope.id, loaded.value.version);
  expect(progress?.state).toBe('prepared');
});
