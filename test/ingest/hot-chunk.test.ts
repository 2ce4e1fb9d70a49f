import { beforeAll, describe, expect, it } from 'vitest';
import { NOW } from '../profiles/harness.ts';
import { partitionLimits } from '../support/unit-meter.ts';
import { expectIndexed } from './indexed-harness.ts';
import { post, type Loaded } from './posts.ts';

/** New people arrive at this rate for this time; `bench/probes/hot-chunk.ts` has more rates. */
const LOAD = { perSecond: 1_000, seconds: 3 };

describe('a thousand POSTs for new people of one property in each second, under the limits of DynamoDB,', () => {
  let loaded: Loaded;
  beforeAll(async () => {
    loaded = await post(LOAD);
  }, 300_000);

  it('are all answered, within a second', () => {
    expect(loaded).toMatchObject({ failed: 0, turnedAway: 0 });
    expect(loaded.latencies).toHaveLength(LOAD.perSecond * LOAD.seconds);
    expect(loaded.latencies.at(-1)).toBeLessThan(1_000);
  });

  it('show each person in the index when the person is answered', () => {
    expect(loaded.invisible).toBe(0);
  });

  it('leave an index that agrees with the profiles, and an empty journal', async () => {
    await expectIndexed(loaded.table, NOW + loaded.took);
    expect(loaded.table.items('journal')).toEqual([]);
  });

  it('ask no partition key for more units than it has', () => {
    const { meter } = loaded;
    expect(meter.throttled).toBe(0);
    expect(meter.peaks('write').filter(({ units }) => units > partitionLimits.write)).toEqual([]);
    expect(meter.peaks('read').filter(({ units }) => units > partitionLimits.read)).toEqual([]);
  });

  it('cost fewer units than a POST that is alone', () => {
    const answered = loaded.latencies.length;
    expect(loaded.meter.total('write') / answered).toBeLessThan(10);
    expect(loaded.meter.total('read') / answered).toBeLessThan(14);
  });
});
