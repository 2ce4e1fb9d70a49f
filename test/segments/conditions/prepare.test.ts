import { expect, it } from 'vitest';
import { limits } from '../../../shared/config/limits.ts';
import { scope } from '../../profiles/harness.ts';
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

it('the looks say how long a condition waits: longer than its alarm allows only where the people are not indexed', async () => {
  const harness = new ConditionHarness();
  await harness.store({ unique_id: 'a', extra_data: { spend: 700 } });
  const longest = (): number =>
    Math.max(...harness.lines.splice(0).map(([, { seconds = Number.NaN } = {}]) => seconds));
  const first = await harness.create(where);
  await harness.settle();
  expect(await harness.isReady(first)).toBe(true);
  expect(longest()).toBeLessThan(limits.alarms.conditionSeconds / 10);

  const second = await harness.create({ field: 'extra_data.spend', op: 'gte', value: 600 });
  harness.losesDrains = true;
  for (let minute = 0; minute < 62; minute += 1) {
    await harness.look();
    harness.now += 60_000;
  }
  expect(harness.lines.at(-1)?.[1]).toMatchObject({ property: scope.id, count: 1 });
  expect(longest()).toBeGreaterThan(limits.alarms.conditionSeconds);

  // A deleted one counts, too: its chunks name people.
  await harness.remove(first);
  harness.now += 60_000;
  await harness.look();
  expect(harness.lines.at(-1)?.[1]).toMatchObject({ count: 2 });

  harness.losesDrains = false;
  await harness.settle();
  expect(await harness.isReady(second)).toBe(true);
  harness.lines.splice(0);
  await harness.look();
  expect(harness.lines).toEqual([]);
});

it('a look that waits for the drainer stores its progress only when it has some', async () => {
  const harness = new ConditionHarness();
  await harness.store({ unique_id: 'a', extra_data: { spend: 700 } });
  const id = await harness.create(where);
  await harness.look();
  harness.now += 150_000;
  harness.losesDrains = true;
  const stepOf = () => harness.tasks().find(({ kind }) => kind === 'condition')?.step ?? 0;
  const before = stepOf();
  let waits = 0;
  await harness.look(() => {
    waits += 1;
    return Promise.resolve();
  });
  // It takes the task, stores the announced block, and says when it is due again.
  expect([waits > 90, stepOf() - before]).toEqual([true, 3]);
  const rest = stepOf();
  await harness.look();
  expect(stepOf() - rest).toBe(2);
  await harness.sweep();
  await harness.look();
  expect(await harness.isReady(id)).toBe(true);
});
