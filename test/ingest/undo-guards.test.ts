/** Guards of undos and restatements, each with the one schedule in which it matters. */
import { describe, expect, it } from 'vitest';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { accepted, scope } from '../profiles/harness.ts';
import { frozenAtWrite } from '../support/frozen.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { gate } from '../support/table-view.ts';
import { mergeOf, ofJob, said, storedStates, withJobs, jobs } from './undo-harness.ts';

const [FIRST, SECOND, OTHER, BAD] = jobs;
const ann = { email: 'ann@example.org' };

/** A harness whose put of one object waits until it is let go. */
const scene = async (isIt: (key: string) => boolean = () => false) => {
  const { pass, during } = gate();
  let stuck = false;
  const work = new MemoryObjects(async (operation, key) => {
    if (operation !== 'put' || stuck || !isIt(key)) return;
    stuck = true;
    await pass();
  });
  const own = await withJobs(new MemoryTable(), [FIRST, SECOND, OTHER, BAD], { work });
  const isMergedWithout = (...undone: readonly number[]): void => {
    expect(said(storedStates(own.table))).toEqual(said(mergeOf(own.all(), new Set(undone))));
  };
  return { ...own, isMergedWithout, during };
};

describe('a record that says what an earlier job said', () => {
  it('is not merged when its job was undone between the look for marks and the log', async () => {
    const { harness, store, isMergedWithout, during } = await scene((key) => key.includes('-missed-'));
    await store(ofJob(FIRST, { ...ann, city: 'Bonn' }, 1));
    await store(ofJob(SECOND, { ...ann, city: 'Bonn' }, 6));
    await during(
      () => store(ofJob(OTHER, { ...ann, city: 'Koeln' }, 4)),
      async () => expect(await harness.undo(SECOND)).toBe(true),
    );
    isMergedWithout(SECOND);
  });

  it('waits while the undo of the earlier job has begun and has not been at its person', async () => {
    const { table, harness, applied, store, isMergedWithout } = await scene();
    await store(ofJob(FIRST, { ...ann, city: 'Bonn' }, 1));
    const again = ofJob(SECOND, { ...ann, city: 'Bonn' }, 6);
    const undone = await frozenAtWrite(table, 'update', 'profile').during(
      (view) => harness.undo(FIRST, view),
      () => store(again).catch(() => undefined),
    );
    expect(undone).toBe(true);
    // What gave up is delivered again.
    if (applied.size === 1) await store(again);
    isMergedWithout(FIRST);
  });

  it('hides an older record that came late and beneath the job that is undone', async () => {
    const { harness, store, isMergedWithout } = await scene();
    await store(ofJob(FIRST, { ...ann, city: 'Bonn' }, 1));
    await store(ofJob(SECOND, { ...ann, city: 'Bonn' }, 6));
    await store(ofJob(BAD, { ...ann, city: 'Ulm' }, 9));
    await store(ofJob(OTHER, { ...ann, city: 'Koeln' }, 4));
    isMergedWithout();
    expect(await harness.undo(BAD)).toBe(true);
    isMergedWithout(BAD);
  });

  it('is given back by the undo of a later job also when the earlier job was undone before', async () => {
    const { harness, store, isMergedWithout } = await scene();
    await store(ofJob(FIRST, { ...ann, city: 'Bonn' }, 1));
    await store(ofJob(SECOND, { ...ann, city: 'Bonn' }, 6));
    await store(ofJob(BAD, { ...ann, city: 'Ulm' }, 9));
    for (const undone of [[FIRST], [FIRST, BAD]]) {
      expect(await harness.undo(undone.at(-1) ?? 0)).toBe(true);
      isMergedWithout(...undone);
    }
  });
});

describe('a restatement that was kept beside somebody who then lost the identity', () => {
  it('is merged neither by a writer nor by an undo', async () => {
    const { table, harness, store } = await scene();
    await harness.post(accepted({ unique_id: 'u1' }, 1));
    await store(ofJob(FIRST, { ...ann, unique_id: 'u1', city: 'Bonn' }, 2));
    const again = await frozenAtWrite(table, 'insert', 'restatement').during(
      (view) => harness.apply([ofJob(SECOND, { ...ann, city: 'Bonn' }, 6)], view),
      async () => expect(await harness.undo(FIRST)).toBe(true),
    );
    expect(again).toMatchObject([{ kind: 'created' }]);
    expect(table.items('restatement')).toHaveLength(1);
    await harness.apply([ofJob(OTHER, { unique_id: 'u1', first_name: 'Ann' }, 5)]);
    await harness.apply([ofJob(BAD, { unique_id: 'u1', first_name: 'Eve' }, 9)]);
    expect(await harness.undo(BAD)).toBe(true);
    expect([...(storedStates(table).get(0)?.keys() ?? [])].sort()).toEqual([
      'identity:1:unique_id:u1',
      'value:1:first_name',
    ]);
    expect(await annIn(table)).toBe(ann.email);
  });
});

const annIn = async (table: MemoryTable) =>
  (await profileRepository({ table }).findByIdentity(scope, { kind: 'email', value: ann.email }))?.fields
    .email;

describe('the claim of an identity that an undone job brought', () => {
  it('stays when a writer makes it again after the profile lost the identity', async () => {
    const { table, harness, store } = await scene();
    await harness.post(accepted({ unique_id: 'u1', city: 'Bonn' }, 1));
    await store(ofJob(FIRST, { ...ann, unique_id: 'u1' }, 2));
    const undone = await frozenAtWrite(table, 'update', 'claim').during(
      (view) => harness.undo(FIRST, view),
      () => harness.post(accepted({ ...ann, unique_id: 'u1' }, 3)),
    );
    expect(undone).toBe(true);
    expect(await annIn(table)).toBe(ann.email);
  });

  it('stays when a writer stored the identity between the reads and the writes of the undo', async () => {
    const { table, harness, store } = await scene();
    await store(ofJob(FIRST, { ...ann, city: 'Bonn' }, 2));
    const undone = await frozenAtWrite(table, 'update', 'profile').during(
      (view) => harness.undo(FIRST, view),
      () => harness.post(accepted({ ...ann, first_name: 'Ann' }, 3)),
    );
    expect(undone).toBe(true);
    expect(await annIn(table)).toBe(ann.email);
  });
});
