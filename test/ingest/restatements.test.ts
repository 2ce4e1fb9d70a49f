/** Restatements: records of a job that say what an earlier job said, beside older records, undos and forgettings. */
import { describe, expect, it } from 'vitest';
import type { AcceptedRecord } from '../../shared/profiles/contribution.ts';
import { isRestatement } from '../../shared/ingest/restatement.ts';
import { importOrigin } from '../../shared/profiles/origin.ts';
import { stateOf, tagName, type LwwRegister } from '../../shared/profiles/profile-state.ts';
import type { RecordOutcome } from '../../shared/profiles/types.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { kindOfKey } from '../../local/cloud/item-kinds.ts';
import { accepted, scope } from '../profiles/harness.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { casesOf } from '../support/scale.ts';
import { seeded, TurnTable, type Choose } from './interleave.ts';
import { comparable, mergeOf, ofJob, said, storedStates, undoHarness, type Applied } from './undo-harness.ts';

const [FIRST = 0, SECOND = 0, OTHER = 0] = [11, 12, 13].map((job) => scopedId(scope.id, job));
const nobody: ReadonlySet<number> = new Set<number>();

const ann = {
  email: 'ann@example.org',
  city: 'Bonn',
  tags: [{ datetime: '2025-01-01 00:00:00', tag: ['vip'] }],
};

/** A property where the first job stored Ann, and the second job sent the same row later. */
const twice = async () => {
  const table = new MemoryTable();
  const harness = undoHarness(table, new MemoryObjects());
  for (const job of [FIRST, SECOND, OTHER]) await harness.addJob(job);
  const all: Applied[] = [];
  const store = async (record: AcceptedRecord): Promise<RecordOutcome | undefined> => {
    const [outcome] = await harness.apply([record]);
    if (outcome) all.push({ record, outcome });
    return outcome;
  };
  const profile = () => table.items().find(({ pk }) => kindOfKey(pk) === 'profile');
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
    const announced = table.items().filter(({ pk }) => kindOfKey(pk) === 'restatement');
    expect(announced).toHaveLength(1);
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
    const table = new MemoryTable();
    const harness = undoHarness(table, new MemoryObjects());
    await harness.addJob(FIRST);
    await harness.post(accepted(ann, 1));
    await harness.apply([ofJob(FIRST, ann, 9)]);
    const [state] = storedStates(table).values();
    expect([...(state?.values() ?? [])].map(({ origin }) => origin)).toContain(importOrigin(7_001, FIRST));
  });

  it('hides records that are older and come later', async () => {
    const { table, all, store } = await twice();
    await store(ofJob(OTHER, { ...ann, city: 'Köln', tags: null }, 5));
    expect(valuesOf(table)).toEqual(said(mergeOf(all, nobody)));
    expect(comparable(storedStates(table))).toEqual(comparable(mergeOf(all, nobody)));
  });

  it('leaves newer records alone', async () => {
    const { table, all, store, harness } = await twice();
    await store(ofJob(OTHER, { ...ann, city: 'Köln' }, 12));
    expect(valuesOf(table)).toEqual(said(mergeOf(all, nobody)));
    expect(await harness.undo(OTHER)).toBe(true);
    expect(valuesOf(table)).toEqual(said(mergeOf(all, new Set([OTHER]))));
  });

  it.each([
    ['the first job', [FIRST]],
    ['the second job', [SECOND]],
    ['both jobs', [FIRST, SECOND]],
    ['both jobs, the second first', [SECOND, FIRST]],
  ])('stays through the undo of %s as long as a job says it', async (_, undone) => {
    const { table, all, harness, store } = await twice();
    for (const job of undone) expect(await harness.undo(job)).toBe(true);
    const merged = mergeOf(all, new Set(undone));
    expect(comparable(await harness.wholeStates(table, new Set(undone)))).toEqual(comparable(merged));
    expect(valuesOf(table)).toEqual(said(merged));
    // An older record finds the announcement, and the undone job in it.
    await store(ofJob(OTHER, { ...ann, city: 'Köln' }, 5));
    expect(valuesOf(table)).toEqual(said(mergeOf(all, new Set(undone))));
  });

  it('leaves a forgotten person forgotten', async () => {
    const { table, harness, first, store } = await twice();
    if (first?.kind !== 'created') throw new Error('Ann was not created.');
    await harness.forget(first.ordinal);
    await store(ofJob(OTHER, { ...ann, city: 'Köln' }, 5));
    expect(storedStates(table).size).toBe(0);
  });
});

const pick = <T>(choose: Choose, from: readonly T[]): T => {
  const picked = from[choose(from.length)];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
};

/** A repeated row and older rows at the same time. Only what did not end is delivered again. */
const race = async (choose: Choose, deadly: number) => {
  const table = new TurnTable();
  const work = new MemoryObjects(async () => {
    await table.get({ pk: 'OBJECT', sk: 'OBJECT' });
  });
  const harness = undoHarness(table, work);
  for (const job of [FIRST, SECOND, OTHER]) await harness.addJob(job);
  const applied = new Map<AcceptedRecord, RecordOutcome>();
  const store = async (batch: readonly AcceptedRecord[]): Promise<void> => {
    (await harness.apply(batch)).forEach((outcome, at) => {
      const record = batch[at];
      if (record) applied.set(record, outcome);
    });
  };
  const people = ['ann', 'ben'].map((name) => ({ ...ann, email: `${name}@example.org` }));
  const order = (): number => 2 + choose(12);
  const changed = (): Readonly<Record<string, unknown>> => ({
    ...pick(choose, people),
    ...pick(choose, [{ city: 'Köln' }, { tags: null }, { city: null }, {}]),
  });
  await store(people.map((one) => ofJob(FIRST, one, 1)));
  const batches = [
    people.map((one) => ofJob(SECOND, one, order())),
    [ofJob(OTHER, changed(), order()), ofJob(OTHER, changed(), order())],
    [ofJob(pick(choose, [FIRST, SECOND, OTHER]), changed(), order())],
  ];
  await table.interleave(
    batches.map((batch) => () => store(batch)),
    choose,
    deadly,
  );
  for (const batch of batches) if (batch.some((record) => !applied.has(record))) await store(batch);
  const all: readonly Applied[] = [...applied].map(([record, outcome]) => ({ record, outcome }));
  return { table, harness, all };
};

const SCHEDULES = casesOf('SCHEDULES', { full: 2_000, sample: 300 });

/** In this schedule, a newer record restates an older one while the older one is being merged with missed records. */
const RESTATED_DURING_MERGE = 1_851;

describe('a repeated row beside older rows', () => {
  it.each([
    ['in any schedule', Number.POSITIVE_INFINITY],
    ['in any schedule with deaths', 25],
  ])('leaves the merge of all records, %s', async (_, deadly) => {
    let restated = 0;
    for (const seed of [...Array(SCHEDULES).keys(), RESTATED_DURING_MERGE]) {
      const { table, harness, all } = await race(seeded(seed), deadly);
      const merged = mergeOf(all, nobody);
      expect(said(storedStates(table)), `seed ${seed}`).toEqual(said(merged));
      expect(comparable(await harness.wholeStates(table, nobody)), `seed ${seed}`).toEqual(
        comparable(merged),
      );
      restated += Number(table.items().some(({ pk }) => kindOfKey(pk) === 'restatement'));
    }
    expect(restated, 'restatements are common').toBeGreaterThan(SCHEDULES / 4);
  });
});

describe('the rule of restatements', () => {
  const of = (job: number, ms: number) =>
    ({ stamp: stampOf(ms), origin: importOrigin(7, job), tier: 1 }) as const;
  const city: LwwRegister = { area: 'value', name: 'city', value: 'Bonn', ...of(1, 1) };
  const stored = stateOf([city]);

  it('takes equal values of one definition only', () => {
    const by = (change: Partial<LwwRegister>) =>
      isRestatement(stored, [stateOf([{ ...city, ...of(2, 2), ...change }])]);
    expect(by({})).toBe(true);
    expect(by({ value: 'Köln' })).toBe(false);
    expect(by({ tier: 2 })).toBe(false);
    expect(by({ origin: importOrigin(8, 2) })).toBe(false);
    expect(by({ origin: 'api' })).toBe(false);
  });

  it('takes a hidden value, whatever it is', () => {
    const older = stateOf([{ ...city, ...of(2, 0), value: 'Köln' }]);
    expect(isRestatement(stored, [older])).toBe(true);
  });

  it('refuses a removal that now removes more', () => {
    const removal: LwwRegister = { area: 'untag', name: 'vip', value: true, ...of(1, 1) };
    const tag: LwwRegister = {
      area: 'tag',
      name: tagName('2025-01-01 00:00:00', 'vip'),
      value: true,
      ...of(1, 5),
    };
    expect(isRestatement(stateOf([removal, tag]), [stateOf([{ ...removal, ...of(2, 9) }])])).toBe(false);
  });
});
