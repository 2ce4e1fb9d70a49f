import { expect, it } from 'vitest';
import { ConditionHarness, where } from './harness.ts';

it('a condition is ready once all people are in the index, and whoever is stored meanwhile', async () => {
  const harness = new ConditionHarness();
  await harness.store(
    { unique_id: 'a', extra_data: { spend: 700 } },
    { unique_id: 'b', extra_data: { spend: 3 } },
  );
  const id = await harness.create(where);
  expect(await harness.isReady(id)).toBe(false);
  await harness.look();
  await harness.store({ unique_id: 'c', extra_data: { spend: '501' } });
  harness.now += 150_000;
  await harness.look();
  await harness.store({ unique_id: 'd', extra_data: { spend: 900 } });
  await harness.look();
  expect(await harness.isReady(id)).toBe(true);
  await harness.sweep();
  expect(await harness.members(id)).toEqual(['a', 'c', 'd']);
});
