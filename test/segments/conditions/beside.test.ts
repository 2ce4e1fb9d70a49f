import { describe, expect, it } from 'vitest';
import { readConditions } from '../../../shared/catalogue/conditions/condition-list.ts';
import type { Where } from '../../../shared/catalogue/conditions/shape.ts';
import { journal } from '../../../shared/membership/journal.ts';
import { keys, ORDINALS_PER_GROUP } from '../../../shared/table/keys.ts';
import { accepted, scope } from '../../profiles/harness.ts';
import { applyRecords } from '../../../shared/ingest/apply-records.ts';
import { FatedTable, underFate, type Ended } from '../../support/fated-table.ts';
import { ConditionHarness, where } from './harness.ts';

const spends = (name: string, spend: unknown) => ({ unique_id: name, extra_data: { spend } });

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** Three people, two of whom meet the condition, on a table whose processes have fates. */
const scene = async () => {
  const harness = new ConditionHarness(new FatedTable(true));
  await harness.store(spends('a', 700), spends('b', 3), spends('c', '500.0'));
  return harness;
};

const left = (harness: ConditionHarness, id: number): readonly string[] =>
  harness.table
    .items()
    .filter(({ pk }) => pk === keys.directory(scope.id, id).pk || pk.startsWith(`P#${scope.id}#M#${id}#`))
    .map(({ pk, sk }) => `${pk} ${sk}`);

const thawed = async (ended: Ended<unknown>): Promise<void> => {
  if (ended.kind === 'frozen') await ended.thaw();
};

/** Plays a scene with a process that stands still at each of its operations in turn, until it has no more. */
const freezingAnywhere = async (play: (after: number) => Promise<Ended<unknown>>): Promise<number> => {
  for (let after = 1; ; after += 1) if ((await play(after)).kind === 'done') return after;
};

describe('a condition', () => {
  it('whose look stands still for an hour, beside a look that goes on, has exactly its members', async () => {
    const played = await freezingAnywhere(async (after) => {
      const harness = await scene();
      const id = await harness.create(where);
      await harness.look();
      harness.now += 200 * SECOND;
      const ended = await underFate({ kind: 'freezes', after }, () => harness.look());
      harness.now += HOUR;
      await harness.store(spends('d', 501));
      await harness.settle();
      expect(await harness.isReady(id)).toBe(true);
      await harness.store(spends('a', 1), spends('e', 502));
      await thawed(ended);
      await harness.settle();
      expect(await harness.members(id)).toEqual(['c', 'd', 'e']);
      expect(harness.tasks()).toEqual([]);
      return ended;
    });
    expect(played).toBeGreaterThan(20);
  });

  it('at which two looks look at once is prepared once', async () => {
    await freezingAnywhere(async (after) => {
      const harness = await scene();
      const id = await harness.create(where);
      await harness.look();
      harness.now += 200 * SECOND;
      const ended = await underFate({ kind: 'freezes', after }, () => harness.look());
      harness.now += 61 * SECOND;
      await Promise.all([harness.look(), thawed(ended), harness.look()]);
      await harness.settle();
      expect(await harness.members(id)).toEqual(['a', 'c']);
      expect((await readConditions(harness.table, scope.id)).ready).toEqual([id]);
      expect(harness.tasks()).toEqual([]);
      return ended;
    });
  });

  it('is ready and whole although answers of the table are lost', async () => {
    await freezingAnywhere(async (after) => {
      const harness = await scene();
      const made = await underFate({ kind: 'loses', after }, () => harness.create(where));
      const id = await harness.create(where);
      await harness.look();
      harness.now += 200 * SECOND;
      const ended = await underFate({ kind: 'loses', after }, () => harness.look());
      await harness.settle();
      expect(await harness.members(id)).toEqual(['a', 'c']);
      const gone = await underFate({ kind: 'loses', after }, () => harness.remove(id));
      if (gone.kind === 'dead') await harness.remove(id).catch(() => undefined);
      await harness.settle();
      expect(left(harness, id)).toEqual([]);
      expect(harness.tasks()).toEqual([]);
      expect((await harness.people.catalogue.list(scope.id, { limit: 10 })).items).toHaveLength(1);
      return [made, ended, gone].find(({ kind }) => kind !== 'done') ?? ended;
    });
  });

  it('is ready although every drain that it asks for is lost, once the journal is swept', async () => {
    const harness = await scene();
    const id = await harness.create(where);
    await harness.look();
    harness.now += 200 * SECOND;
    harness.losesDrains = true;
    await harness.look();
    expect(await harness.isReady(id)).toBe(false);
    expect(await journal(harness).groups(scope.id)).toHaveLength(1);
    await harness.sweep();
    harness.now += 60 * SECOND;
    await harness.look();
    expect(await harness.isReady(id)).toBe(true);
    expect(await harness.members(id)).toEqual(['a', 'c']);
  });

  it('that is stored long after its request waits until every write knows it', async () => {
    const harness = await scene();
    // The last operation of the request is its transaction.
    const ended = await underFate({ kind: 'freezes', after: 6 }, () => harness.create(where));
    expect(ended.kind).toBe('frozen');
    expect((await readConditions(harness.table, scope.id)).preparing).toEqual([]);
    harness.now += 1_000 * SECOND;
    // A writer that looks just before the condition is stored, and writes just before its time is over.
    const writer = harness.process();
    await writer.derivations.of(scope.id);
    await thawed(ended);
    await harness.look();
    harness.now += 4 * SECOND;
    await applyRecords(writer, scope, [accepted(spends('b', 900), 99)], {
      attemptId: 'late',
      index: 'later',
    });
    await harness.settle();
    const id = await harness.create(where);
    expect(await harness.members(id)).toEqual(['a', 'b', 'c']);
  });

  it('leaves nobody behind, whoever indexes it while it is removed: an empty chunk at most', async () => {
    const played = await freezingAnywhere(async (after) => {
      const harness = await scene();
      const id = await harness.create(where);
      await harness.settle();
      const writer = harness.process();
      await applyRecords(writer, scope, [accepted(spends('d', 900), 99)], { attemptId: 'x', index: 'later' });
      await harness.remove(id);
      await harness.look();
      harness.now += 396 * SECOND;
      const drainer = harness.process();
      const ended = await underFate({ kind: 'freezes', after }, () => harness.drainBy(drainer));
      for (let looks = 0; looks < 5; looks += 1) {
        harness.now += SECOND;
        await harness.look();
        await harness.drain();
      }
      harness.now += 10 * SECOND;
      await thawed(ended);
      await harness.settle();
      expect(await harness.members(id)).toEqual([]);
      expect(harness.tasks()).toEqual([]);
      return ended;
    });
    expect(played).toBeGreaterThan(10);
  });
});

const more: readonly Where[] = [
  { field: 'extra_data.spend', op: 'lt', value: 500 },
  { field: 'extra_data.spend', op: 'exists' },
];

describe('a fill of 300,000 people in two groups', () => {
  it('finds each member, also where passes of the drainer end in the middle of a block', async () => {
    const harness = new ConditionHarness();
    const issued = (count: number) => harness.table.increment(keys.counter(scope.id, 'ordinal'), count);
    await harness.store(spends('a', 700), spends('b', 3));
    await issued(5_000);
    await harness.store(spends('c', 500), spends('d', 4));
    await issued(ORDINALS_PER_GROUP);
    await harness.store(spends('e', 900), spends('f', 5));
    await issued(30_000);
    await harness.store(spends('g', 501), { unique_id: 'h' });
    const ids = [];
    for (const rule of [where, ...more]) ids.push(await harness.create(rule, JSON.stringify(rule)));
    harness.mostChunks = 10;
    await harness.settle();
    const found = [];
    for (const id of ids) found.push((await harness.members(id)).join(''));
    expect(found).toEqual(['aceg', 'bdf', 'abcdefg']);
    expect(harness.cutPasses).toBeGreaterThan(5);
  });
});
