/** When a profile was stored first: whatever is written later leaves it alone. */
import { describe, expect, it } from 'vitest';
import { readProfile } from '../../shared/profiles/profile-repository.ts';
import { profileItem } from '../../shared/profiles/stored-profile.ts';
import { isStoredState } from '../../shared/profiles/stored-state.ts';
import { keys } from '../../shared/table/keys.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { jobs, ofJob, withJobs } from './undo-harness.ts';

const [FIRST, SECOND] = jobs;
const HOUR_MS = 3_600_000;
const ann = { email: 'ann@example.org', city: 'Bonn' };

/** A property whose first job stored Ann, an hour ago. */
const annStored = async () => {
  const { table, harness, store, post } = await withJobs(new MemoryTable(), [FIRST, SECOND]);
  const record = ofJob(FIRST, ann, 1);
  await store(record);
  harness.time.now += HOUR_MS;
  const timesOf = async (ordinal: number) => {
    const profile = readProfile(await table.get(keys.profile(scope.id, ordinal)), ordinal);
    return profile && { created: profile.created, updatedAt: profile.updatedAt };
  };
  return { table, harness, store, post, record, timesOf };
};

describe('the time at which a profile was stored first', () => {
  it('is that of its write', async () => {
    const { timesOf } = await annStored();
    expect(await timesOf(0)).toEqual({ created: NOW, updatedAt: NOW });
  });

  it.each([
    ['an update', ofJob(SECOND, { ...ann, city: 'Köln' }, 9)],
    ['a further identity', ofJob(SECOND, { ...ann, unique_id: 'u1' }, 9)],
    ['an older record', ofJob(SECOND, { ...ann, first_name: 'Ann' }, 0)],
  ])('stays after %s', async (_, later) => {
    const { harness, store, timesOf } = await annStored();
    await store(later);
    expect(await timesOf(0)).toEqual({ created: NOW, updatedAt: harness.time.now });
  });

  it('stays after a request', async () => {
    const { harness, post, timesOf } = await annStored();
    await post(accepted({ ...ann, city: 'Ulm' }, 9));
    expect(await timesOf(0)).toEqual({ created: NOW, updatedAt: harness.time.now });
  });

  it.each([
    ['that comes twice', ofJob(FIRST, ann, 1)],
    ['that repeats it', ofJob(SECOND, ann, 9)],
  ])('stays after a record %s', async (_, again) => {
    const { store, timesOf } = await annStored();
    await store(again);
    expect(await timesOf(0)).toEqual({ created: NOW, updatedAt: NOW });
  });

  it('stays after the undo of a later job, and of the job that stored it', async () => {
    const { harness, store, timesOf } = await annStored();
    await store(ofJob(SECOND, { ...ann, city: 'Köln' }, 9));
    for (const job of [SECOND, FIRST]) {
      harness.time.now += HOUR_MS;
      expect(await harness.undo(job)).toBe(true);
      expect(await timesOf(0)).toEqual({ created: NOW, updatedAt: harness.time.now });
    }
  });

  it('goes with the person, and whoever comes back has another', async () => {
    const { table, harness, store, timesOf } = await annStored();
    await harness.forget(0);
    expect(await table.get(keys.profile(scope.id, 0))).toMatchObject({ created: null, updated_at: null });
    harness.time.now += HOUR_MS;
    const again = await store(accepted(ann, 0, { latest: true }));
    if (again?.kind !== 'created') throw new Error('not stored');
    expect(await timesOf(again.ordinal)).toEqual({ created: harness.time.now, updatedAt: harness.time.now });
  });

  it('is unknown of a profile that 0.2.0 stored, also after later writes', async () => {
    const { table, harness, store, timesOf } = await annStored();
    const key = keys.profile(scope.id, 0);
    const state = (await table.get(key))?.['state'];
    if (!isStoredState(state)) throw new Error('no profile');
    await table.put(key, profileItem(state, NOW));
    expect(await timesOf(0)).toEqual({ created: null, updatedAt: NOW });
    await store(ofJob(SECOND, { ...ann, city: 'Köln' }, 9));
    expect(await timesOf(0)).toEqual({ created: null, updatedAt: harness.time.now });
  });
});
