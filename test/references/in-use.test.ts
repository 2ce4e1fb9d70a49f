import { describe, expect, it } from 'vitest';
import { everyoneId } from '../../shared/catalogue/identity.ts';
import type { Table, Write } from '../../shared/table/table.ts';
import { seeded, TurnTable } from '../ingest/interleave.ts';
import { withoutWrites } from '../support/table-view.ts';
import { danglingIn, expectAgreement, expectNothingStuck } from './consistency.ts';
import { scenes, type Scene, type Stage } from './scenes.ts';
import { property, referencesHarness } from './harness.ts';
import { casesOf } from '../support/scale.ts';

/** Number of schedules of each scene; `SCHEDULES=…` raises it. */
const SCHEDULES = casesOf('SCHEDULES', { full: 150, sample: 30 });

const setStage = async (table: Table): Promise<Stage> => {
  const harness = referencesHarness(table);
  const everyone = everyoneId(property);
  const [one, two, free] = [
    await harness.makeSegment(everyone, 'one'),
    await harness.makeSegment({ not: everyone }, 'two'),
    await harness.makeSegment(everyone, 'free'),
  ].map(({ id }) => id ?? 0);
  const { id: collection = 0 } = await harness.makeCollection([free ?? 0]);
  return { everyone, one: one ?? 0, two: two ?? 0, free: free ?? 0, collection };
};

/** Plays a scene in a schedule of this seed; one operation in `deadly` kills its request instead. */
const play = async (
  scene: Scene,
  seed: number,
  { deadly, isLost = () => false }: { deadly?: number; isLost?: (write: Write) => boolean } = {},
) => {
  const table = new TurnTable();
  const stage = await setStage(table);
  const choose = seeded(seed);
  const requests = scene(() => referencesHarness(withoutWrites(table, isLost)), stage);
  const ends = await table.interleave(requests, choose, deadly);
  return { harness: referencesHarness(table), stage, ends };
};

describe.each(Object.entries(scenes))('the scene "%s"', (_, scene) => {
  it('leaves no dangling reference in any order, and every request is answered', async () => {
    for (let seed = 0; seed < SCHEDULES; seed += 1) {
      const { harness, stage, ends } = await play(scene, seed);
      expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 'fulfilled'));
      expect(await danglingIn(harness), `seed ${seed}`).toEqual([]);
      await expectAgreement(harness, [stage.one, stage.two, stage.free]);
    }
  });

  it('leaves no dangling reference and no stuck item after crashes at any operation', async () => {
    for (let seed = 0; seed < SCHEDULES; seed += 1) {
      const { harness, stage } = await play(scene, seed, { deadly: 25 });
      expect(await danglingIn(harness), `seed ${seed}`).toEqual([]);
      await expectAgreement(harness, [stage.one, stage.two, stage.free]);
      await expectNothingStuck(harness);
    }
  });
});

const isTouch = (write: Write): boolean => write.kind === 'update' && Object.keys(write.set).length === 0;

describe('some schedule leaves a dangling reference unless', () => {
  it.each<[string, (write: Write) => boolean]>([
    ['uses of an item are announced', ({ kind, key }) => kind === 'insert' && key.pk.includes('#REFS#')],
    ['items and their users are touched', isTouch],
  ])('%s', async (_, isLost) => {
    const broken = async (): Promise<boolean> => {
      for (const scene of Object.values(scenes))
        for (let seed = 0; seed < SCHEDULES; seed += 1) {
          const { harness } = await play(scene, seed, { isLost });
          if ((await danglingIn(harness)).length > 0) return true;
        }
      return false;
    };
    expect(await broken()).toBe(true);
  });
});

describe('among competing requests', () => {
  it('one edit wins, and one deletion deletes', async () => {
    for (let seed = 0; seed < SCHEDULES; seed += 1) {
      const table = new TurnTable();
      const { one, two } = await setStage(table);
      const harness = (): ReturnType<typeof referencesHarness> => referencesHarness(table);
      const ends = await table.interleave(
        [
          () => harness().editSegment(one, { not: one }),
          () => harness().editSegment(one, two),
          () => harness().deleteSegment(two),
          () => harness().deleteSegment(two),
        ],
        seeded(seed),
      );
      const codes = ends.map((end) => (end.status === 'fulfilled' ? (end.value.code ?? 'done') : 'died'));
      const edits = codes.slice(0, 2).filter((code) => code === 'done');
      expect(edits.length).toBeLessThanOrEqual(1);
      const deletions = codes.slice(2).filter((code) => code === 'done');
      expect(deletions.length).toBe(codes[1] === 'done' ? 0 : 1);
    }
  });
});
