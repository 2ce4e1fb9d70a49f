import { expect, it } from 'vitest';
import { applyRecords } from '../../shared/profiles/apply.ts';
import { memberships } from '../profiles/indexed-world.ts';
import { accepted, scope } from '../profiles/world.ts';
import { BrandWorld } from './world.ts';

it('people stored right after the first load, by a process that knew no brands, are in the segments of the load', async () => {
  const world = new BrandWorld(1);
  const writer = world.process();
  await writer.brands();
  await world.load([['1', 'Adidas', 'Sports']]);
  await world.open();
  const ann = accepted({ email: 'ann@example.org', social_likes: [{ id: '1' }] });
  await applyRecords(writer, scope, [ann], { cause: 'first', index: 'now' });
  await world.settle();
  const { indexed, derived } = await memberships(world.table, world.now);
  expect(JSON.stringify(derived)).toContain('Sports');
  expect(indexed).toEqual(derived);
});
