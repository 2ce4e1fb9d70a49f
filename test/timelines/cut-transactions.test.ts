import { describe, expect, it } from 'vitest';
import { manifest } from '../../functions/manifest.ts';
import { limits } from '../../shared/config/limits.ts';
import { keys } from '../../shared/table/keys.ts';
import { countMembers } from '../../shared/membership/read-members.ts';
import { property } from '../segments/fixture.ts';
import { Cut, cutTable, withEachCut } from '../support/cut-transactions.ts';
import { clearUpMoments, HOUR, taggedPeople } from './harness.ts';

/** Three people with a tag. */
const setUp = () => taggedPeople();

type Scene = Awaited<ReturnType<typeof setUp>>;

/** All that is shown of moments is whole, and nothing is stored of others. */
const expectWhole = async ({ table, clock, harness }: Scene): Promise<void> => {
  clock.now += HOUR;
  await clearUpMoments({ table, clock: () => clock.now });
  const { timelines } = await harness().list();
  const listed: number[] = [];
  for (const { id, moments } of timelines) {
    const counted = await harness().counted(id);
    expect(counted.moments.map(({ count }) => count)).toEqual(moments.map(() => 3));
    listed.push(...moments.map((moment) => moment.id));
  }
  const { items } = await harness().deps.catalogue.list(property, { limit: 1_000 });
  const shown = items.filter(({ type }) => type === 'moment').map(({ id }) => id);
  expect(shown).toEqual(listed);
  for (const moment of shown) expect(await countMembers(table, { property, expression: moment })).toBe(3);
  const stored = table.items().filter(({ pk }) => pk === keys.moments(property));
  expect(stored.map(({ segment }) => segment).toSorted()).toEqual(listed.toSorted());
  expect(table.items().filter(({ pk }) => pk.startsWith('TASKS#'))).toEqual([]);
};

it('a moment is completed before the next one may come, and if a look fails, by the second one', () => {
  const { abandonedSeconds, momentIntervalSeconds } = limits.timelines;
  expect(2 * abandonedSeconds + 60).toBeLessThan(momentIntervalSeconds);
  expect(manifest['reconcileTasks']?.trigger).toMatchObject({ expression: 'rate(1 minute)' });
});

describe('a restore that has cut the transaction', () => {
  it('of a further moment leaves it whole or not at all', async () => {
    await withEachCut(async (made) => {
      const scene = await setUp();
      const { id } = await scene.harness().created('t', scene.tag);
      scene.clock.now += HOUR;
      const cut = cutTable(scene.table, made);
      await expect(scene.harness(cut.table).add(id, 'key')).rejects.toThrow(Cut);
      await expectWhole(scene);
      scene.clock.now += HOUR;
      expect((await scene.harness().add(id)).status).toBe(201);
      await expectWhole(scene);
      return cut;
    });
  });

  it('of a timeline leaves the timeline with its moment or neither, and the request can be repeated', async () => {
    await withEachCut(async (made) => {
      const scene = await setUp();
      const cut = cutTable(scene.table, made);
      await expect(scene.harness(cut.table).create('t', scene.tag, '', 'key')).rejects.toThrow(Cut);
      scene.clock.now += HOUR;
      await clearUpMoments({ table: scene.table, clock: () => scene.clock.now });
      const { timelines } = await scene.harness().list();
      for (const { id } of timelines)
        expect((await scene.harness().counted(id)).moments.map(({ count }) => count)).toEqual([3]);
      // Where the timeline came back, and the note of the request did not, its name is taken.
      const repeated = await scene.harness().create('t', scene.tag, '', 'key');
      expect(repeated.status).toBe(timelines.length === 1 && repeated.code === 'duplicate_name' ? 409 : 201);
      expect((await scene.harness().list()).timelines.length).toBeGreaterThan(0);
      return cut;
    });
  });
});
