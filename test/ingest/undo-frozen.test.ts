/** Writers that freeze before an undo and thaw after it. */
import { describe, expect, it } from 'vitest';
import { keys } from '../../shared/table/keys.ts';
import { accepted, scope } from '../profiles/harness.ts';
import { frozenAtWrite } from '../support/frozen.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { comparable, mergeOf, ofJob, storedStates, withJobs, jobs } from './undo-harness.ts';

const [JOB, OTHER] = jobs;

const scene = () => withJobs(new MemoryTable(), [JOB, OTHER]);
const ann = { email: 'ann@example.org' };

describe('a batch of an undone job', () => {
  it.each([
    ['its update of a known person', true],
    ['its insert of a new person', false],
  ])('that freezes before %s and thaws after the undo stores nothing', async (_, isKnown) => {
    const { table, harness } = await scene();
    const before = accepted({ ...ann, city: 'Bonn' });
    const known = isKnown ? await harness.post(before) : [];
    const batch = await frozenAtWrite(table, isKnown ? 'update' : 'insert', 'profile').during(
      (view) => harness.apply([ofJob(JOB, { ...ann, city: 'Köln' }, 1)], view),
      async () => expect(await harness.undo(JOB)).toBe(true),
    );
    expect(batch).toMatchObject([{ kind: 'refused', refusal: { code: 'undone' } }]);
    const [outcome] = known;
    const expected = outcome ? [{ record: before, outcome }] : [];
    expect(comparable(storedStates(table))).toEqual(comparable(mergeOf(expected, new Set())));
  });
});

describe('a batch of another job', () => {
  it('that freezes with a value beneath the undone job loses nothing', async () => {
    const { table, harness } = await scene();
    await harness.apply([ofJob(JOB, { ...ann, city: 'Köln' }, 5)]);
    // The city is older than that of the job, and hidden; the first name is stored.
    const older = ofJob(OTHER, { ...ann, city: 'Bonn', first_name: 'Ann' }, 1);
    const [outcome] = await frozenAtWrite(table, 'update', 'profile').during(
      (view) => harness.apply([older], view),
      async () => expect(await harness.undo(JOB)).toBe(true),
    );
    if (!outcome) throw new Error('no outcome');
    const expected = mergeOf([{ record: older, outcome }], new Set([JOB]));
    expect(comparable(storedStates(table))).toEqual(comparable(expected));
    expect([...expected.values()].flatMap((state) => [...state.values()])).toHaveLength(3);
  });
});

describe('an undo', () => {
  it('that freezes between its reads and its writes takes nothing from a later writer', async () => {
    const { table, harness } = await scene();
    await harness.apply([ofJob(JOB, { ...ann, city: 'Köln' }, 1)]);
    const { view, thaw, reached } = frozenAtWrite(table, 'update', 'profile');
    const undo = harness.undo(JOB, view);
    await reached;
    const [outcome] = await harness.post(accepted({ ...ann, first_name: 'Ann' }, 9));
    if (!outcome || outcome.kind === 'refused' || outcome.kind === 'forgotten') throw new Error('not stored');
    thaw();
    expect(await undo).toBe(true);
    const applied = [{ record: accepted({ ...ann, first_name: 'Ann' }, 9), outcome }];
    expect(comparable(storedStates(table))).toEqual(comparable(mergeOf(applied, new Set([JOB]))));
    expect(await harness.countsOf(JOB)).toMatchObject({
      values: { taken_back: 1, replaced: 1 },
      people: { removed: 0, changed: 1, unchanged: 0 },
    });
    expect(await table.get(keys.profile(scope.id, outcome.ordinal))).toBeDefined();
  });

  it('leaves a forgotten person forgotten', async () => {
    const { table, harness } = await scene();
    const [outcome] = await harness.apply([ofJob(JOB, ann, 1)]);
    if (!outcome || outcome.kind === 'refused' || outcome.kind === 'forgotten') throw new Error('not stored');
    await harness.forget(outcome.ordinal);
    expect(await harness.undo(JOB)).toBe(true);
    expect(storedStates(table).size).toBe(0);
    expect((await table.get(keys.profile(scope.id, outcome.ordinal)))?.['forgotten']).toBeDefined();
    expect((await harness.countsOf(JOB)).people).toEqual({
      removed: 0,
      changed: 0,
      unchanged: 0,
      not_restored: 0,
    });
  });
});
