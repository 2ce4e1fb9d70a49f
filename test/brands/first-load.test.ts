import { describe, expect, it } from 'vitest';
import { limits } from '../../lib/config/limits.ts';
import { readPointer } from '../../shared/brands/pointer.ts';
import { applyRecords } from '../../shared/profiles/apply.ts';
import { memberships } from '../profiles/indexed-world.ts';
import { accepted, scope } from '../profiles/world.ts';
import { BrandWorld } from './world.ts';

/** Calls of `advanceBrands` until the first version is in place where there is no property: it is told the time, then it is. */
const CALLS = 2;
const { refreshSeconds } = limits.brands;

describe.each(Array.from({ length: CALLS + 1 }, (_, calls) => calls))(
  'people stored in the first property, which is made after %i steps of the first load',
  (calls) => {
    it.each([0, refreshSeconds - 1])(
      'are in the segments of the load, though their writer knows what was %i seconds before the last step',
      async (seconds) => {
        const world = new BrandWorld(1);
        const writer = world.process();
        const step = async (act: () => Promise<unknown>): Promise<void> => {
          await writer.brands();
          world.now += seconds * 1000;
          await act();
        };
        await step(() => world.load([['1', 'Adidas', 'Sports']]));
        for (let call = 0; call < calls; call += 1) {
          world.now += 600_000;
          await step(() => world.advance());
        }
        await world.open();
        const ann = accepted({ email: 'ann@example.org', social_likes: [{ id: '1' }] });
        await applyRecords(writer, scope, [ann], { cause: 'first', index: 'now' });
        await world.settle();
        const { indexed, derived } = await memberships(world.table, world.now);
        expect(JSON.stringify(derived)).toContain('Sports');
        expect(indexed).toEqual(derived);
      },
    );
  },
);

it('the first load is in place after the steps of any load, while there is no property', async () => {
  const world = new BrandWorld(1);
  await world.load([['1', 'Adidas', 'Sports']]);
  expect((await readPointer(world.table)).current).toBeNull();
  for (let call = 0; call < CALLS; call += 1) {
    world.now += 600_000;
    await world.advance();
  }
  expect(await readPointer(world.table)).toMatchObject({ current: { version: 1 }, next: null });
});
