import { describe, expect, it } from 'vitest';
import { keys, type Key } from '../../shared/table/keys.ts';
import { property } from '../segments/fixture.ts';
import { frozenAt } from '../support/frozen.ts';
import { clearUpMoments, HOUR, taggedPeople } from './harness.ts';

/** People with a tag, and a process of the service that hangs at a write until it is let go. */
const setUp = async () => {
  const { table, clock, harness: harnessOn, tag } = await taggedPeople();
  const clearUp = async (): Promise<void> => {
    clock.now += 901_000;
    expect(await clearUpMoments({ table, clock: () => clock.now })).toBe(1);
    clock.now += 60_000;
  };
  return { table, clock, clearUp, harnessOn, harness: harnessOn(), tag };
};

/** All that is stored of moments that are being made. */
const leftIn = (items: readonly Key[]): readonly Key[] => items.filter(({ pk }) => pk.startsWith('TASKS#'));

describe('a maker of a moment that was frozen at the write which decides, and thawed after it was cleared up', () => {
  it('commits no copy that was cleared up: it makes another one', async () => {
    const { table, clock, clearUp, harnessOn, harness, tag } = await setUp();
    const { id } = await harness.created('t', tag);
    clock.now += HOUR;
    const timeline = keys.timeline(property, id);
    const late = await frozenAt(
      table,
      (operation, { pk, sk }) => operation === 'update' && pk === timeline.pk && sk === timeline.sk,
    ).during((view) => harnessOn(view).add(id), clearUp);
    expect(late.status).toBe(201);
    expect((await harness.counted(id)).moments.map(({ count }) => count)).toEqual([3, 3]);
    clock.now += 2 * HOUR;
    expect((await harness.add(id)).status).toBe(201);
    expect((await harness.counted(id)).moments.map(({ count }) => count)).toEqual([3, 3, 3]);
    expect((await harness.list()).timelines).toHaveLength(1);
    expect(leftIn(table.items())).toEqual([]);
  });

  it('makes no timeline whose first moment is gone', async () => {
    const { table, clearUp, harnessOn, harness, tag } = await setUp();
    const { pk } = keys.timeline(property, 1);
    await frozenAt(table, (operation, key) => operation === 'insert' && key.pk === pk).during(
      (view) => harnessOn(view).create('t', tag),
      clearUp,
    );
    for (const { id } of (await harness.list()).timelines) expect((await harness.get(id)).status).toBe(200);
    expect(leftIn(table.items())).toEqual([]);
  });
});
