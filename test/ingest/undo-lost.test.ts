/** Undos whose log has lost objects: they end, and say of whom they could not give everything back. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { newUndo } from '../../shared/imports/undo/undo-import-job.ts';
import { findLost, givenOut } from '../../shared/ingest/find-lost.ts';
import { decodeEntries, isFoundObject, lostObject, undoJobFolder } from '../../shared/ingest/undo-log.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { dyingAnywhere } from '../support/death.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { casesOf } from '../support/scale.ts';
import { seeded, TurnTable } from './interleave.ts';
import { ofJob, storedStates, withJobs, jobs } from './undo-harness.ts';

const [JOB, LATER] = jobs;
const DAY_MS = 86_400_000;
const SCHEDULES = casesOf('SCHEDULES', { full: 30, sample: 10 });

const named = (who: string, first_name: string) => ({ email: `${who}@example.org`, first_name });

/** The first names of everybody, by the name in the address. */
const namesIn = (table: MemoryTable): Readonly<Record<string, unknown>> =>
  Object.fromEntries<unknown>(
    [...storedStates(table).values()].map((state) => {
      const { name = '' } = [...state.values()].find(({ area }) => area === 'identity') ?? {};
      return [name.slice('email:'.length, name.indexOf('@')), state.get('value:1:first_name')?.value];
    }),
  );

/** Objects whose list of the undo log is as it was, although some of the listed objects cannot be read. */
class LosingObjects extends MemoryObjects {
  lost: ReadonlySet<string> = new Set<string>();
  damaged = false;
  losesList: () => boolean = () => false;
  override async get(key: string) {
    if (key.includes('/lists/') && this.losesList()) return undefined;
    if (!this.lost.has(key)) return super.get(key);
    return this.damaged ? Buffer.from('damaged') : undefined;
  }
}

/** A job of two batches: Ann and Bob were known before, Cat and Dan were not. The entries of Bob and Dan are lost. */
const story = async ({ table = new MemoryTable(), tick = (): void => undefined } = {}) => {
  const work = new LosingObjects(tick);
  const { harness } = await withJobs(table, [JOB, LATER], { work });
  await harness.post(accepted(named('ann', 'Ann'), 0));
  await harness.post(accepted(named('bob', 'Bob'), 0));
  await harness.apply([ofJob(JOB, named('ann', 'Anna'), 10), ofJob(JOB, named('cat', 'Cat'), 11)]);
  const kept = new Set(await work.list(undoJobFolder(scope.id, JOB)));
  await harness.apply([ofJob(JOB, named('bob', 'Bert'), 12), ofJob(JOB, named('dan', 'Dan'), 13)]);
  const all = await work.list(undoJobFolder(scope.id, JOB));
  work.lost = new Set(all.filter((key) => !kept.has(key)));
  return { table, work, harness };
};

const counted = {
  values: { taken_back: 4, replaced: 0 },
  people: { removed: 1, changed: 1, unchanged: 2, not_restored: 2 },
};

describe('an undo whose log has lost an object', () => {
  it.each([
    ['is gone', false],
    ['is damaged', true],
  ])('takes back what the rest names, and counts whoever keeps values: the object %s', async (_, damaged) => {
    const { table, work, harness } = await story();
    work.damaged = damaged;
    expect(await harness.undo(JOB)).toBe(true);
    expect(await harness.countsOf(JOB)).toMatchObject(counted);
    expect(namesIn(table)).toEqual({ ann: 'Ann', bob: 'Bert', dan: 'Dan' });
  });

  it('lets later imports and undos of the same people go on', async () => {
    const { table, harness } = await story();
    await harness.undo(JOB);
    const outcomes = await harness.apply([
      ofJob(LATER, named('bob', 'Bill'), 20),
      ofJob(LATER, named('dan', 'Dan'), 21),
      // Older than what stays.
      ofJob(LATER, { ...named('dan', 'Don'), city: 'Ulm' }, 5),
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['updated', 'updated', 'updated']);
    expect(namesIn(table)).toEqual({ ann: 'Ann', bob: 'Bill', dan: 'Dan' });
    expect(await harness.undo(LATER)).toBe(true);
    expect(namesIn(table)).toEqual({ ann: 'Ann', bob: 'Bert', dan: 'Dan' });
  });

  it('leaves what stays beneath the values of a later job that repeated it', async () => {
    const { table, harness } = await story();
    await harness.apply([ofJob(LATER, named('dan', 'Dan'), 20)]);
    for (const job of [JOB, LATER]) {
      expect(await harness.undo(job)).toBe(true);
      expect(namesIn(table)).toEqual({ ann: 'Ann', bob: 'Bert', dan: 'Dan' });
    }
  });

  it('ends when the list of its log is lost, too', async () => {
    const { table, work, harness } = await story();
    await harness.ask(JOB);
    let lists = 0;
    work.losesList = () => (lists += 1) === 1;
    expect(await harness.undo(JOB)).toBe(true);
    expect(lists).toBeGreaterThan(1);
    expect(await harness.countsOf(JOB)).toMatchObject(counted);
    expect(namesIn(table)).toEqual({ ann: 'Ann', bob: 'Bert', dan: 'Dan' });
  });

  it('counts the same when it dies at any operation', async () => {
    await dyingAnywhere({
      begin: (tick) => story({ table: new MemoryTable(tick), tick }),
      run: ({ harness }) => harness.undo(JOB),
      check: async ({ table, harness }, fatal) => {
        expect(await harness.undo(JOB), `death at ${fatal}`).toBe(true);
        expect(await harness.countsOf(JOB), `death at ${fatal}`).toMatchObject(counted);
        expect(namesIn(table), `death at ${fatal}`).toEqual({ ann: 'Ann', bob: 'Bert', dan: 'Dan' });
      },
    });
  });

  it('counts the same when two runs of its step go on at once', async () => {
    for (let seed = 0; seed < SCHEDULES; seed += 1) {
      const table = new TurnTable();
      const { harness } = await story({ table });
      const run = () => harness.undo(JOB);
      const ends = await table.interleave([run, run], seeded(seed));
      expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
      expect(await harness.countsOf(JOB), `seed ${seed}`).toMatchObject(counted);
    }
  });
});

describe('an undo that waited until its log may have expired', () => {
  it('looks at everybody, and says of whom the log has nothing', { timeout: 60_000 }, async () => {
    const people = 5_000;
    const { table, work, harness } = await withJobs(new MemoryTable(), [JOB]);
    for (let at = 0; at < people; at += 500)
      await harness.apply(
        Array.from({ length: 500 }, (_, n) => ofJob(JOB, named(`p${at + n}`, 'P'), at + n)),
      );
    const [kept, ...expired] = await work.list(undoJobFolder(scope.id, JOB));
    expect(kept).toBeDefined();
    for (const key of expired) await work.remove(key);
    const job = await harness.imports.job(scope.id, JOB);
    if (job) await harness.imports.updateJob(job, { undo: newUndo(NOW - 3 * DAY_MS) });
    expect(await harness.undo(JOB)).toBe(true);
    expect(await harness.countsOf(JOB)).toMatchObject({
      people: { removed: 500, changed: 0, unchanged: people - 500, not_restored: people - 500 },
    });
    expect(storedStates(table).size).toBe(people - 500);
  });
});

describe('the search for lost entries', () => {
  it('stores what it has found before that is too much, and goes on behind it', async () => {
    // Half as many again as are stored at once.
    const people = 200;
    const { table, work, harness } = await withJobs(new MemoryTable(), [JOB]);
    const tags = [{ datetime: '2025-01-01 00:00:00', tag: Array.from({ length: 500 }, (_, n) => `t${n}`) }];
    for (let at = 0; at < people; at += 1)
      await harness.apply([ofJob(JOB, { email: `p${at}@example.org`, tags }, at)]);
    let objects: readonly string[] = [lostObject(scope.id, JOB, await givenOut(table, scope.id))];
    let calls = 0;
    for (let lost = objects[0]; lost !== undefined; lost = objects.find((key) => !isFoundObject(key))) {
      calls += 1;
      const log = { property: scope.id, job: JOB, id: `${calls}`, from: 0 };
      objects = await findLost({ table, work }, { ...log, objects, lost });
    }
    expect(calls).toBeGreaterThan(1);
    const read = await Promise.all(objects.map((key) => work.get(key)));
    const found = read.map((bytes) => [...((bytes && decodeEntries(bytes)) ?? [])]);
    for (const entries of found)
      expect(entries.reduce((sum, { brought }) => sum + brought.length, 0)).toBeLessThan(
        2 * limits.imports.undoFoundRegisters,
      );
    expect(found.flat().map(({ ordinal }) => ordinal)).toEqual(
      [...storedStates(table).keys()].sort((a, b) => a - b),
    );
  });
});
