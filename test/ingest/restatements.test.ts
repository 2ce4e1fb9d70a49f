/** Restatements: records of a job that say what an earlier job said, beside older records, requests, undos and forgettings. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { importOrigin, type State } from '../../shared/profiles/profile-state.ts';
import { toldBefore } from '../../shared/ingest/apply-records.ts';
import { resolveProfile } from '../../shared/profiles/resolve-profile.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import type { Write } from '../../shared/table/table.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { accepted, NOW } from '../profiles/harness.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { pick } from './interleave.ts';
import { comparable, mergeOf, ofJob, said, storedStates, withJobs, jobs } from './undo-harness.ts';
import { storedAt } from '../support/stored-at.ts';

const [FIRST, SECOND, OTHER] = jobs;
const nobody: ReadonlySet<number> = new Set<number>();

const ann = {
  email: 'ann@example.org',
  city: 'Bonn',
  tags: [{ datetime: '2025-01-01 00:00:00', tag: ['vip'] }],
};

/** A property where the first job stored Ann, and the second job sent the same row later. */
const twice = async () => {
  const { table, harness, all, store } = await withJobs(new MemoryTable(), [FIRST, SECOND, OTHER]);
  const profile = () => table.items('profile')[0];
  const first = await store(ofJob(FIRST, ann, 1));
  const before = profile();
  const again = await store(ofJob(SECOND, ann, 9));
  return { table, harness, all, store, profile, first, before, again };
};

const valuesOf = (table: MemoryTable): unknown => said(storedStates(table));

describe('a record that says what an earlier job said', () => {
  it('writes no profile and is an update all the same', async () => {
    const { first, again, before, profile, table } = await twice();
    expect([first?.kind, again?.kind]).toEqual(['created', 'updated']);
    expect(profile()).toEqual(before);
    expect(table.items('restatement')).toHaveLength(1);
  });

  it.each([
    ['another value', { ...ann, city: 'Köln' }],
    ['a further value', { ...ann, first_name: 'Ann' }],
    ['a further identity', { ...ann, unique_id: 'u1' }],
  ])('is written when it has %s', async (_, sent) => {
    const { before, profile, store } = await twice();
    await store(ofJob(SECOND, sent, 10));
    expect(profile()?.w).not.toBe(before?.w);
  });

  it('is written when the value came from no job, which nobody can undo', async () => {
    const { table, harness } = await withJobs(new MemoryTable(), [FIRST]);
    await harness.post(accepted(ann, 1));
    await harness.apply([ofJob(FIRST, ann, 9)]);
    const [state] = storedStates(table).values();
    expect([...(state?.values() ?? [])].map(({ origin }) => origin)).toContain(importOrigin(7_001, FIRST));
  });

  it('is written when the profile was last stored 30 days ago, so that its time tells what renews it', async () => {
    const { before, profile, store, harness } = await twice();
    const repeat = async (later: number): Promise<void> => {
      harness.time.now = NOW + later;
      await store({ ...ofJob(SECOND, ann, 10), stamp: stampOf(harness.time.now) });
    };
    const renewed = limits.profiles.renewedDays * 86_400_000;
    await repeat(renewed);
    expect(profile()?.w).toBe(before?.w);
    await repeat(renewed + 1);
    expect(profile()).toMatchObject({ updated_at: NOW + renewed + 1 });
  });

  it('hides records that are older and come later', async () => {
    const { table, all, store } = await twice();
    await store(ofJob(OTHER, { ...ann, city: 'Köln', tags: null }, 5));
    expect(valuesOf(table)).toEqual(said(mergeOf(all(), nobody)));
    expect(comparable(storedStates(table))).toEqual(comparable(mergeOf(all(), nobody)));
  });

  it('leaves newer records alone', async () => {
    const { table, all, store, harness } = await twice();
    await store(ofJob(OTHER, { ...ann, city: 'Köln' }, 12));
    expect(valuesOf(table)).toEqual(said(mergeOf(all(), nobody)));
    expect(await harness.undo(OTHER)).toBe(true);
    expect(valuesOf(table)).toEqual(said(mergeOf(all(), new Set([OTHER]))));
  });

  it.each([
    ['the first job', [FIRST]],
    ['the second job', [SECOND]],
    ['both jobs', [FIRST, SECOND]],
    ['both jobs, the second first', [SECOND, FIRST]],
  ])('stays through the undo of %s as long as a job says it', async (_, undone) => {
    const { table, all, harness, store } = await twice();
    for (const job of undone) expect(await harness.undo(job)).toBe(true);
    const merged = mergeOf(all(), new Set(undone));
    expect(comparable(await harness.wholeStates(table))).toEqual(comparable(merged));
    expect(valuesOf(table)).toEqual(said(merged));
    // An older record finds what restated the profile, and leaves out the undone job.
    await store(ofJob(OTHER, { ...ann, city: 'Köln' }, 5));
    expect(valuesOf(table)).toEqual(said(mergeOf(all(), new Set(undone))));
  });

  it.each([
    ['other, late, last', [0, 1, 2]],
    ['other, last, late', [0, 2, 1]],
    ['late, other, last', [1, 0, 2]],
    ['last, other, late', [2, 0, 1]],
    ['late, last, other', [1, 2, 0]],
    ['last, late, other', [2, 1, 0]],
  ])('leaves the newest of two undated consents shown, stored as %s', async (_, arrivals) => {
    for (const order of [3, 5, 7]) {
      const { table, harness, all, store } = await twice();
      const given = (source: string) => ({ ...ann, consent: [{ channel: 'email', state: 'given', source }] });
      const other = accepted(given('web'), order, { origin: importOrigin(7_002, OTHER) });
      await store(ofJob(FIRST, given('shop'), 2));
      const records = [other, ofJob(SECOND, given('shop'), 4), ofJob(SECOND, given('shop'), 6)];
      for (const at of arrivals) await store(pick(records, () => at));
      const consents = (states: ReadonlyMap<number, State>) =>
        [...states.values()].map((state) => resolveProfile(state, 0, storedAt(0)).consent);
      expect(consents(storedStates(table))).toEqual(consents(mergeOf(all(), nobody)));
      expect(await harness.undo(FIRST)).toBe(true);
      expect(consents(storedStates(table))).toEqual(consents(mergeOf(all(), new Set([FIRST]))));
    }
  });

  it('leaves a forgotten person forgotten', async () => {
    const { table, harness, first, store } = await twice();
    if (first?.kind !== 'created') throw new Error('Ann was not created.');
    await harness.forget(first.ordinal);
    await store(ofJob(OTHER, { ...ann, city: 'Köln' }, 5));
    expect(storedStates(table).size).toBe(0);
  });
});

/** A table that counts looks for restatements, and written profiles. */
class CountingTable extends MemoryTable {
  asked = 0;
  written = 0;
  override query(...args: Parameters<MemoryTable['query']>) {
    this.asked += Number(kindOfKey(args[0]) === 'restatement');
    return super.query(...args);
  }
  override writeMany(writes: readonly Write[]) {
    this.written += writes.filter(({ key }) => kindOfKey(key.pk) === 'profile').length;
    return super.writeMany(writes);
  }
}

describe('a request by a slower clock than that of a file before it', () => {
  it('is later than what the file restates, whatever comes late', async () => {
    const { table, harness } = await withJobs(new CountingTable(), [FIRST, SECOND, OTHER]);
    await harness.apply([ofJob(FIRST, ann, 1)]);
    await harness.apply([ofJob(SECOND, ann, 9)]);
    await harness.post(accepted({ ...ann, city: 'Ulm', tags: null }, 4));
    const shown = said(storedStates(table));
    await harness.apply([ofJob(OTHER, { ...ann, city: 'Köln' }, 3)]);
    expect(said(storedStates(table))).toEqual(shown);
    expect(await harness.undo(OTHER)).toBe(true);
    expect(said(storedStates(table))).toEqual(shown);
  });

  it('looks only where a profile has values of an import', async () => {
    const { table, harness } = await withJobs(new CountingTable(), [FIRST, SECOND, OTHER]);
    for (const order of [1, 2]) await harness.post(accepted({ ...ann, age: order }, order));
    expect(table.asked).toBe(0);
    await harness.apply([ofJob(FIRST, { ...ann, city: 'Köln' }, 3)]);
    table.asked = 0;
    await harness.post(accepted(ann, 4));
    expect(table.asked).toBe(1);
  });
});

describe('the outcome of a request that was stored again', () => {
  const warnings = [{ code: 'segment_limit', detail: 'No room.' }] as const;
  const first = { kind: 'created', ordinal: 1, stamp: stampOf(1), warnings } as const;

  it('tells what was new the first time, with the time of the second', () => {
    const again = { kind: 'updated', ordinal: 1, stamp: stampOf(2), warnings: [] } as const;
    expect(toldBefore(again, first)).toEqual({ ...first, stamp: stampOf(2) });
  });

  it('tells of another person who was created since the first was forgotten', () => {
    const other = { kind: 'created', ordinal: 2, stamp: stampOf(2), warnings: [] } as const;
    expect(toldBefore(other, first)).toBe(other);
  });
});

/** A file of people that came twice; the second time in slices that take every `step`-th person. */
const comeAgain = async (people: number, step: number) => {
  const table = new CountingTable();
  const objects = { gets: 0 };
  const work = new MemoryObjects((operation) => void (objects.gets += Number(operation === 'get')));
  const { harness } = await withJobs(table, [FIRST, SECOND, OTHER], { work, cheapest: true });
  const rows = Array.from({ length: people }, (_, n) => ({ email: `p${n}@example.org`, city: 'Bonn' }));
  await harness.apply(rows.map((row, n) => ofJob(FIRST, row, n)));
  table.written = 0;
  for (let at = 0; at < step; at += 1)
    await harness.apply(rows.flatMap((row, n) => (n % step === at ? [ofJob(SECOND, row, 100_000 + n)] : [])));
  const restated = table.items('restatement').length;
  const { written } = table;
  [table.asked, objects.gets] = [0, 0];
  const late = ofJob(OTHER, { email: `p${people / 2}@example.org`, city: 'Ulm' }, 50_000);
  await harness.apply([late]);
  return { harness, table, late, rows, restated, written, queries: table.asked, gets: objects.gets };
};

describe('a file that comes again', () => {
  it('costs an item a block in the order of the first file, and a write a person in another order', async () => {
    const inOrder = await comeAgain(1_024, 1);
    expect(inOrder).toMatchObject({ restated: 4, written: 0 });
    const strewn = await comeAgain(1_024, 512);
    expect(strewn).toMatchObject({ restated: 0, written: 1_024 });
  });

  it.each([1, 4, 512])(
    'shows its values, whatever came late, in slices of every %i. person',
    async (step) => {
      const { table } = await comeAgain(1_024, step);
      const cities = [...storedStates(table).values()].map((state) => state.get('value:1:city')?.value);
      expect(new Set(cities)).toEqual(new Set(['Bonn']));
    },
  );

  it('makes a late record read one block, however many slices the file had', async () => {
    const reads = [];
    for (const people of [512, 1_024, 2_048]) {
      const { queries, gets } = await comeAgain(people, people / 256);
      reads.push({ queries, gets });
    }
    // One look behind its write, one behind the merge.
    expect(reads).toEqual(reads.map(() => ({ queries: 2, gets: 0 })));
  });
});
