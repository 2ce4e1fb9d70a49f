import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { readPointer, indexingMs } from '../../shared/catalogue/brand-pointer.ts';
import { propagationMs } from '../../shared/catalogue/look.ts';
import { readProgress } from '../../shared/brands/progress.ts';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { isUnavailable } from '../../shared/runtime/aws-errors.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { memberships } from '../ingest/indexed-harness.ts';
import { accepted, scope } from '../profiles/harness.ts';
import { frozenAt } from '../support/frozen.ts';
import { viewOf } from '../support/table-view.ts';
import { BrandHarness, MARGIN_MS, type Placement } from './harness.ts';

const before: readonly Placement[] = [
  ['p1', 'X', 'A'],
  ['p2', 'X', 'A'],
];

/** The catalogue after one of the pages of X has moved to another brand. */
const after: readonly Placement[] = [
  ['p1', 'Y', 'C'],
  ['p2', 'X', 'A'],
];

const LOOK_MS = limits.segments.lookSeconds * 1000;

let harness: BrandHarness;
beforeEach(async () => {
  harness = new BrandHarness(3);
  await harness.open();
  await harness.load(before);
  await harness.settle();
  await harness.store('ann', ['p1'], 'now');
});

const idOf = async (name: string): Promise<number | undefined> =>
  (await harness.segments()).find(({ segment }) => segment.name === name)?.segment.id;

/** Loads the other version, and stops at the moment that sets the time of the change. */
const untilSet = async (): Promise<number> => {
  await harness.load(after);
  for (let round = 0; round < 10; round += 1) {
    const { next } = await readPointer(harness.table);
    if (next && next.effective !== null) return next.effective;
    harness.now += 2 * MARGIN_MS;
    await harness.advance();
  }
  throw new Error('the version is not prepared');
};

const progress = async () => {
  const { next, current } = await readPointer(harness.table);
  const version = next?.version ?? current?.version ?? 0;
  return (await readProgress(harness.table, scope.id, version)).progress?.state;
};

const expectAlike = async (): Promise<void> => {
  const { indexed, derived } = await memberships(harness.table, harness.now);
  expect(indexed).toEqual(derived);
};

describe('a change of the version of brands', () => {
  it('happens in all processes at once, even in a process that read the versions just before the time was set', async () => {
    await harness.load(after);
    harness.now += 2 * MARGIN_MS;
    const [stale, fresh] = [harness.process(), harness.process()];
    await stale.derivations.brands();
    await harness.advance();
    expect((await readPointer(harness.table)).next?.effective).not.toBeNull();
    const versions = new Set<number>();
    for (let second = 0; second < 120; second += 1) {
      const known = [await stale.derivations.brands(), await fresh.derivations.brands()].map(
        (times) => times.at(harness.now).version,
      );
      expect(known[0], `after ${second} s`).toBe(known[1]);
      for (const version of known) versions.add(version);
      harness.now += 1_000;
    }
    expect(versions.size).toBe(2);
  });

  it('never happens in the middle of an indexing step, however long the step hangs', async () => {
    const effective = await untilSet();
    harness.now = effective - 30_000;
    const segment = (await idOf('X')) ?? 0;
    const { view, thaw, reached } = frozenAt(
      harness.table,
      (operation, { pk }) => operation === 'getMany' && kindOfKey(pk) === 'chunk',
    );
    const step = harness.process(view).membership.reindex(scope, [{ segment, ordinal: 0 }]);
    await reached;
    await harness.settle();
    await expectAlike();
    thaw();
    await step;
    await expectAlike();
  });

  it('is filled only after all writes of the previous version have ended', async () => {
    harness.now = (await untilSet()) + indexingMs(MARGIN_MS) - 20_000;
    await harness.advance();
    expect(await progress()).toBe('prepared');
    harness.now += 40_000;
    await harness.advance();
    expect(await progress()).toBe('filling');
    await harness.drain();
    await harness.advance();
    expect(await progress()).toBe('done');
    await expectAlike();
  });

  it('ends only after all announcements of the previous version are indexed', async () => {
    const effective = await untilSet();
    harness.now = effective - 30_000;
    await harness.store('ben', ['p1'], 'later');
    harness.now = effective + indexingMs(MARGIN_MS) + 20_000;
    expect(await harness.advance()).toBe('under_way');
    expect(await progress()).not.toBe('done');
    await harness.drain();
    await harness.settle();
    expect(await progress()).toBe('done');
    await expectAlike();
  });

  /** A process that stores a liker of `p1`. A load is committed while it announces that, and time goes on. */
  const storeAcrossLoad = async (passes: number) => {
    let isLoaded = false;
    const table = viewOf(harness.table, {
      writeMany: async (writes) => {
        const outcomes = await harness.table.writeMany(writes);
        if (
          !isLoaded &&
          writes.some(({ key, kind }) => kind === 'insert' && kindOfKey(key.pk) === 'journal')
        ) {
          isLoaded = true;
          await harness.load(after);
          harness.now += passes;
        }
        return outcomes;
      },
    });
    const ben = accepted({ email: 'ben@example.org', social_likes: [{ id: 'p1' }] }, 1_000);
    const options = { attemptId: 'ben', index: 'later' } as const;
    const outcomes = await applyRecords(harness.process(table), scope, [ben], options).catch(
      (error: unknown) => error,
    );
    expect(isLoaded).toBe(true);
    return outcomes;
  };

  it('carries along what a writer stores that has looked before the load', async () => {
    const outcomes = await storeAcrossLoad(LOOK_MS - 1);
    expect(outcomes).toMatchObject([{ kind: 'created' }]);
    await harness.settle();
    await expectAlike();
  });

  it('meets no writer that has looked before the load and is late', async () => {
    expect(await storeAcrossLoad(LOOK_MS)).toSatisfy(isUnavailable);
    expect([...(await harness.people()).values()].map(({ email }) => email)).toEqual(['ann@example.org']);
    await harness.settle();
    await expectAlike();
  });

  it('is prepared only after the last writes by a look from before the load have arrived', async () => {
    await harness.load(after);
    const { next } = await readPointer(harness.table);
    // Processes of the harness have clocks that differ by up to 10 s.
    harness.now = (next?.committed ?? 0) + propagationMs(MARGIN_MS) - 11_000;
    await harness.advance();
    expect(await progress()).toBeUndefined();
    harness.now += 22_000;
    await harness.advance();
    expect(await progress()).toBe('prepared');
  });
});
