import { describe, expect, it } from 'vitest';
import { addReferences } from '../references/add-references.ts';
import { deleteSegment } from '../../shared/segments/change-segments.ts';
import { keys } from '../../shared/table/keys.ts';
import type { Write } from '../../shared/table/table.ts';
import { seeded, TurnTable } from '../ingest/interleave.ts';
import { NOW, scope } from '../profiles/harness.ts';
import { referencesHarness } from '../references/harness.ts';
import { withoutWrites } from '../support/table-view.ts';
import { faultsIn, hasBits, processOn, type Process } from './empty-segments-harness.ts';
import { casesOf } from '../support/scale.ts';
import { requestOf } from '../support/requests.ts';

/** Number of schedules of each scene; `SCHEDULES=…` raises it. */
const SCHEDULES = casesOf('SCHEDULES', { full: 150, sample: 30 });

/** Ordinals of one chunk of the index. */
const CHUNK = 4096;

/** Processes of a scene: three of them have the id of the segment in their memory, one begins without any. */
interface Cast {
  readonly id: number;
  readonly warm: Process;
  readonly warmToo: Process;
  readonly drainer: Process;
  readonly cold: Process;
}

type Scene = (cast: Cast) => readonly (() => Promise<unknown>)[];

const scenes: Readonly<Record<string, Scene>> = {
  'a request gives the tag to a person': ({ id, warm, cold }) => [
    () => warm.tag('bob', 10),
    () => cold.remove(id),
  ],
  'a batch gives the tag to a person, and a drainer indexes it': ({ id, warm, drainer, cold }) => [
    () => warm.tag('bob', 10, 'later'),
    () => drainer.drain(),
    () => cold.remove(id),
  ],
  'a request gives the tag, and another takes it away': ({ id, warm, warmToo, cold }) => [
    () => warm.tag('bob', 10),
    () => warmToo.untag('bob', 20),
    () => cold.remove(id),
  ],
  'two people get the tag, one of them in a new part of the index': ({ id, warm, warmToo, cold }) => [
    () => warm.tag('bob', 10, 'later'),
    () => warmToo.tag('far', 10),
    () => cold.remove(id),
  ],
  'two deletions, and a tag before and after': ({ id, warm, drainer, cold }) => [
    async () => {
      await warm.tag('bob', 10, 'later');
      await warm.untag('bob', 20, 'later');
      await warm.tag('far', 30);
    },
    () => cold.remove(id),
    () => drainer.remove(id),
  ],
};

const known = (id: number | undefined): number => {
  if (id === undefined) throw new Error('the tag has no segment');
  return id;
};

/** Plays a scene in a schedule of this seed; one operation in `deadly` kills its process instead. */
const play = async (
  scene: Scene,
  seed: number,
  { deadly, isLost = () => false }: { deadly?: number; isLost?: (write: Write) => boolean } = {},
) => {
  const table = new TurnTable();
  const make = (): Process => processOn(withoutWrites(table, isLost));
  const [warm, warmToo, drainer] = [make(), make(), make()];
  await warm.tag('ann', 0);
  await warmToo.untag('bob', 0);
  await table.increment(keys.counter(scope.id, 'ordinal'), CHUNK);
  await make().untag('far', 0);
  await warmToo.tag('bob', 1);
  await drainer.tag('bob', 2, 'later');
  await drainer.drain();
  await warmToo.untag('bob', 3);
  await warm.untag('ann', 3);
  const id = known(await warm.idOf());
  const cast = { id, warm, warmToo, drainer, cold: make() };
  const ends = await table.interleave(scene(cast), seeded(seed), deadly);
  return { table, id, cast, ends };
};

/** Whether the segment was kept, in all schedules of all scenes. */
const outcomes = new Set<boolean>();

describe.each(Object.entries(scenes))('while a value segment is deleted: %s', (_, scene) => {
  it('every member is in the one segment of the tag, in any order of steps', async () => {
    for (let seed = 0; seed < SCHEDULES; seed += 1) {
      const { table, id, cast, ends } = await play(scene, seed);
      expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 'fulfilled'));
      expect(await faultsIn(table), `seed ${seed}`).toEqual([]);
      const isKept = (await processOn(table).segments.get(scope.id, id)) !== undefined;
      outcomes.add(isKept);
      if (!isKept) expect(hasBits(table, id), `seed ${seed}`).toBe(false);
      // A process that still knows the deleted id writes into the segment that has the tag now.
      await cast.warm.tag('eve', 40);
      expect(await faultsIn(table), `seed ${seed}`).toEqual([]);
      expect(await processOn(table).idOf()).toBe(isKept ? id : await cast.cold.idOf());
    }
  });

  it('every member is in the one segment of the tag, after crashes at any operation', async () => {
    for (let seed = 0; seed < SCHEDULES; seed += 1) {
      const { table } = await play(scene, seed, { deadly: 25 });
      expect(await faultsIn(table), `seed ${seed}`).toEqual([]);
      const again = processOn(table);
      // Nothing is stuck: the next deletion goes through, or clears up after the one that died.
      await again.untag('bob', 50, 'later');
      await again.untag('far', 50, 'later');
      expect(await faultsIn(table), `seed ${seed}`).toEqual([]);
      const left = await again.idOf();
      if (left !== undefined) await again.remove(left);
      expect(await again.idOf(), `seed ${seed}`).toBeUndefined();
      expect(await faultsIn(table), `seed ${seed}`).toEqual([]);
    }
  });
});

it('some schedules delete the segment, and some keep it', () => {
  expect(outcomes).toEqual(new Set([true, false]));
});

describe('some schedule loses a member unless', () => {
  it.each<[string, (write: Write) => boolean]>([
    [
      'a deletion seals the chunks',
      (write) => write.kind === 'update' && JSON.stringify(write.set) === '{"sealed":true}',
    ],
    [
      'an indexer stops a deletion that it meets',
      (write) => write.kind === 'update' && JSON.stringify(write.set) === '{"deleting":null}',
    ],
  ])('%s', async (_, isLost) => {
    const broken = async (): Promise<boolean> => {
      for (const scene of Object.values(scenes))
        for (let seed = 0; seed < SCHEDULES; seed += 1) {
          const { table, id, ends } = await play(scene, seed, { isLost });
          const isDeleted = (await processOn(table).segments.get(scope.id, id)) === undefined;
          if (isDeleted && hasBits(table, id)) return true;
          if (ends.some(({ status }) => status === 'rejected')) continue;
          if ((await faultsIn(table)).length > 0) return true;
        }
      return false;
    };
    expect(await broken()).toBe(true);
  });
});

it('only a segment without members and uses can be deleted, and its tag gets a new segment', async () => {
  const table = new TurnTable();
  const writer = processOn(table);
  await writer.tag('ann', 1);
  const id = known(await writer.idOf());
  const path = { segment_id: String(id) };
  const request = requestOf({ property: scope.id, now: NOW, path, query: {}, body: undefined });
  const remove = async () => {
    const answer = await deleteSegment(referencesHarness(table), request);
    return answer.ok ? answer.value.status : [answer.error.code, answer.error.detail];
  };
  const kept = 'A tag segment exists as long as a profile has the tag. It cannot be deleted.';
  expect(await remove()).toEqual(['state_conflict', kept]);
  await writer.untag('ann', 2);
  const collection = {
    referrer: { kind: 'collection', id: 5 },
    referents: [{ kind: 'segment', id }],
  } as const;
  await addReferences(table, scope.id, collection);
  const listed = { id: 5, name: 'Music', segments: [id], created: 1, created_by: { ...request.user } };
  await table.put(keys.collection(scope.id, 5), listed);
  expect(await remove()).toEqual(['in_use', expect.stringContaining('Music')]);
  await table.put(keys.collection(scope.id, 5), { ...listed, segments: [] });
  expect(await remove()).toBe(200);
  expect(await remove()).toEqual(['not_found', expect.stringContaining(String(id))]);
  await writer.tag('ann', 3);
  expect(await writer.idOf()).not.toBe(id);
  expect(await faultsIn(table)).toEqual([]);
});
