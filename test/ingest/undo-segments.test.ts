/** The value segments that the undo of an import leaves without members. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { addReferences } from '../references/add-references.ts';
import { keys } from '../../shared/table/keys.ts';
import type { Write } from '../../shared/table/table.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { faultsIn, processOn } from '../segments/empty-segments-harness.ts';
import { unloadedBrands } from '../support/brands.ts';
import { dyingAnywhere } from '../support/death.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { indexedHarness } from './indexed-harness.ts';
import { seeded, TurnTable } from './interleave.ts';
import { ofJob, undoHarness, withJobs, jobs } from './undo-harness.ts';
import { casesOf } from '../support/scale.ts';

const [JOB] = jobs;

/** Number of schedules; `SCHEDULES=…` raises it. */
const SCHEDULES = casesOf('SCHEDULES', { full: 60, sample: 10 });

const tagged = (who: string, ...tag: readonly string[]) => ({
  email: `${who}@example.org`,
  tags: [{ datetime: '2026-01-01 00:00:00', tag }],
});

/** The names of the tags that have a segment, in alphabetical order. */
const tagsIn = async (table: MemoryTable): Promise<readonly string[]> => {
  const { items: segments } = await indexedHarness(table).catalogue.list(scope.id, { limit: 1_000 });
  return segments.flatMap(({ type, name }) => (type === 'tag' ? [name] : [])).sort();
};

interface StoryOptions {
  readonly work: MemoryObjects;
  readonly settle: () => Promise<void>;
}

const calm = (table: MemoryTable): StoryOptions => ({
  work: new MemoryObjects(),
  settle: () => processOn(table).drain(),
});

/** A job that brought tags to people who had others, on a table with an index. */
const story = async (table: MemoryTable, options: Partial<StoryOptions> = {}) => {
  const { harness } = await withJobs(table, [JOB], { ...calm(table), ...options });
  await harness.post(accepted(tagged('bob', 'shared', 'idle'), 0));
  await harness.post(accepted({ email: 'bob@example.org', remove_tags: ['idle'] }, 1));
  await harness.apply([
    ofJob(JOB, tagged('ann', 'jazz', 'rock', 'shared', 'used'), 2),
    ofJob(JOB, tagged('bob', 'rock', 'folk'), 3),
    ofJob(JOB, tagged('cat', 'given up'), 4),
  ]);
  await harness.post(accepted({ email: 'cat@example.org', remove_tags: ['given up'] }, 5));
  await processOn(table).drain();
  const { items: segments } = await indexedHarness(table).catalogue.find(scope.id, 'used', { limit: 1 });
  const referents = segments.map(({ id }) => ({ kind: 'segment' as const, id }));
  const referrer = { kind: 'collection', id: 5 } as const;
  await addReferences(table, scope.id, { referrer, referents });
  const user = { id: 1, email: 'ada@example.org', first_name: 'Ada', last_name: 'L' };
  const ids = referents.map(({ id }) => id);
  const collection = { id: 5, name: 'Music', segments: ids, created: 1, created_by: user };
  await table.put(keys.collection(scope.id, 5), collection);
  return harness;
};

const kept = ['given up', 'idle', 'shared', 'used'];

/** A warm process knows two segments that were deleted. Both were made again: one for the job, one for somebody else. */
const deletedBefore = async (table: MemoryTable, options: Partial<StoryOptions> = {}) => {
  const { work, settle } = { ...calm(table), ...options };
  const { harness: cold } = await withJobs(table, [JOB], { work, settle });
  const catalogue = segmentCatalogue({
    table,
    ...{ derivations: unloadedBrands, clock: () => NOW, pause: () => Promise.resolve() },
  });
  const warm = undoHarness(table, work, { settle, catalogue });
  await warm.post(accepted(tagged('bob', 'jazz', 'kept'), 0));
  await warm.post(accepted({ email: 'bob@example.org', remove_tags: ['jazz', 'kept'] }, 1));
  for (const { id, type } of (await catalogue.list(scope.id, { limit: 1_000 })).items)
    if (type === 'tag') expect((await processOn(table).remove(id)).ok).toBe(true);
  await cold.apply([ofJob(JOB, tagged('ann', 'jazz', 'kept'), 2)]);
  await cold.post(accepted(tagged('cat', 'kept'), 3));
  await processOn(table).drain();
  return warm;
};

/** Undoes the job of a scene, dead at each operation in turn and then repeated, and checks each end. */
const undoneAnywhere = (
  scene: typeof story,
  check: (table: MemoryTable, harness: Awaited<ReturnType<typeof story>>, fatal: number) => Promise<void>,
): Promise<number> =>
  dyingAnywhere({
    begin: async (tick) => {
      const table = new MemoryTable(tick);
      const settle = () => indexedHarness(table).sweep();
      return { table, harness: await scene(table, { work: new MemoryObjects(tick), settle }) };
    },
    run: ({ harness }) => harness.undo(JOB),
    check: async ({ table, harness }, fatal) => {
      expect(await harness.undo(JOB)).toBe(true);
      await check(table, harness, fatal);
      expect(await faultsIn(table)).toEqual([]);
    },
  });

describe('the undo of an import', () => {
  it('removes the value segments that it emptied, but none that has members, is in use, or was empty', async () => {
    const table = new MemoryTable();
    const harness = await story(table);
    expect(await tagsIn(table)).toEqual([...kept, 'folk', 'jazz', 'rock'].sort());
    expect(await harness.undo(JOB)).toBe(true);
    expect(await tagsIn(table)).toEqual(kept);
    expect((await harness.countsOf(JOB)).segments).toEqual({ removed: 3 });
    expect(await faultsIn(table)).toEqual([]);
    // A record with the value makes the segment again.
    await harness.post(accepted(tagged('ann', 'jazz'), 9));
    expect(await tagsIn(table)).toEqual([...kept, 'jazz'].sort());
    expect(await faultsIn(table)).toEqual([]);
  });

  it('removes and counts the same segments when it dies at any operation', async () => {
    await undoneAnywhere(story, async (table, harness, fatal) => {
      expect(await tagsIn(table), `death at ${fatal}`).toEqual(kept);
      expect((await harness.countsOf(JOB)).segments, `death at ${fatal}`).toEqual({ removed: 3 });
    });
  });

  it('removes the segment that a value has now when its process knows a deleted one, and dies at any operation', async () => {
    await undoneAnywhere(deletedBefore, async (table, harness, fatal) => {
      expect(await tagsIn(table), `death at ${fatal}`).toEqual(['kept']);
      expect((await harness.countsOf(JOB)).segments, `death at ${fatal}`).toEqual({ removed: 1 });
    });
  });

  it('keeps a segment that gets a member at the same time, in any schedule', async () => {
    const removals = new Set<number>();
    for (let seed = 0; seed < SCHEDULES; seed += 1) {
      const table = new TurnTable();
      const choose = seeded(seed);
      const harness = await story(table);
      await table.interleave(
        [
          () => harness.undo(JOB),
          async () => {
            // The member comes before the undo, or at any of its operations.
            for (let waits = choose(300); waits > 0; waits -= 1) await table.get(keys.undoTurn(scope.id));
            for (const [order, tag] of ['jazz', 'rock', 'folk'].entries())
              await harness.post(accepted(tagged('dan', tag), 10 + order));
            return true;
          },
        ],
        choose,
      );
      expect(await faultsIn(table), `seed ${seed}`).toEqual([]);
      expect(await tagsIn(table), `seed ${seed}`).toEqual([...kept, 'folk', 'jazz', 'rock'].sort());
      removals.add((await harness.countsOf(JOB)).segments.removed);
    }
    // Some schedules removed a segment before its member came, and some did not.
    expect(removals.size).toBeGreaterThan(1);
  });

  it('counts each segment once when two runs of its step go on at once, in any schedule', async () => {
    for (let seed = 0; seed < SCHEDULES; seed += 1) {
      const table = new TurnTable();
      const harness = await story(table);
      const run = () => harness.undo(JOB);
      const ends = await table.interleave([run, run], seeded(seed));
      expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
      expect(await harness.undo(JOB)).toBe(true);
      expect(await tagsIn(table), `seed ${seed}`).toEqual(kept);
      expect((await harness.countsOf(JOB)).segments, `seed ${seed}`).toEqual({ removed: 3 });
      expect(await faultsIn(table), `seed ${seed}`).toEqual([]);
    }
  });

  it('stores each segment once, however many people leave it', async () => {
    const table = new MemoryTable();
    const { harness } = await withJobs(table, [JOB], calm(table));
    const { rowsPerSlice, slicesAtOnce } = limits.imports;
    const rows = 2 * rowsPerSlice * slicesAtOnce;
    await harness.apply(
      Array.from({ length: rows }, (_, index) => ofJob(JOB, tagged(`p${index}`, 'jazz'), index)),
    );
    await processOn(table).drain();
    const written: Write[] = [];
    table.loses = (write) => {
      if (write.key.pk.endsWith('#EMPTIED')) written.push(write);
      return false;
    };
    expect(await harness.undo(JOB)).toBe(true);
    expect((await harness.countsOf(JOB)).segments).toEqual({ removed: 1 });
    // Slices that run at the same time may store the same segment.
    expect(written.length).toBeLessThanOrEqual(slicesAtOnce);
  });
});
