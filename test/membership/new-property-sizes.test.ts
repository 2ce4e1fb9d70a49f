import { beforeEach, describe, expect, it } from 'vitest';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { membershipIndex } from '../../shared/membership/membership.ts';
import { measureAllSizes } from '../../shared/membership/sizes/measure-all.ts';
import { readState } from '../../shared/membership/sizes/size-items.ts';
import { keys } from '../../shared/table/keys.ts';
import { unloadedBrands, withoutBrands } from '../support/brands.ts';
import { everyone, Fixture, property } from '../segments/fixture.ts';
import { surfaced } from '../segments/profiles.ts';

const MINUTE_MS = 60_000;

/** One property, and the job that measures sizes, called each minute here. */
const harness = async () => {
  const fixture = new Fixture();
  const time = { now: Date.UTC(2026, 0, 1) };
  const clock = () => time.now;
  await fixture.table.put(keys.property(property), { id: property });
  await fixture.table.put(keys.listedProperty(property), { property });
  const catalogue = segmentCatalogue({ ...fixture.deps, ...withoutBrands });
  const membership = membershipIndex({
    ...fixture.deps,
    derivations: unloadedBrands,
    clock,
    pause: () => Promise.resolve(),
  });
  const store = async (ordinal: number): Promise<void> => {
    fixture.profiles.set(ordinal, surfaced(ordinal));
    await fixture.table.increment(keys.counter(property, 'ordinal'), 1);
    await membership.reindex({ id: property }, [{ segment: everyone, ordinal }]);
  };
  const call = async (): Promise<number> => {
    time.now += MINUTE_MS;
    return measureAllSizes({ ...fixture.deps, catalogue, clock }, () => true);
  };
  const largest = async () => {
    const state = await readState(fixture.table, property);
    return state?.lists[0]?.starts[0]?.count ?? 0;
  };
  /** Properties without people, and the operations of one call of the job beside them. */
  const beside = async (empty: number): Promise<number> => {
    for (let other = 1; other <= empty; other += 1)
      await fixture.table.put(keys.listedProperty(property + other), { property: property + other });
    fixture.operations.length = 0;
    await call();
    return fixture.operations.length;
  };
  return { store, call, largest, beside };
};

describe('the sizes of a new property', () => {
  let job: Awaited<ReturnType<typeof harness>>;
  beforeEach(async () => {
    job = await harness();
  });

  it('are there a minute after the first person, whatever was measured before', async () => {
    for (let minute = 0; minute < 40; minute += 1) await job.call();
    await job.store(1);
    await job.call();
    expect(await job.largest()).toBe(1);
  });

  it('follow a first import minute by minute', async () => {
    for (const ordinal of [1, 2, 3, 4, 5]) {
      await job.store(ordinal);
      await job.call();
      expect(await job.largest()).toBe(ordinal);
    }
  });

  it('cost nothing while a property has no people, beyond a read of its counter', async () => {
    expect(await job.call()).toBe(0);
    const alone = await job.beside(0);
    expect(await job.beside(300)).toBeLessThanOrEqual(alone + 8);
    for (let minute = 0; minute < 20; minute += 1) expect(await job.call()).toBe(0);
  });

  it('are measured once in a quarter of an hour after the first quarter', async () => {
    await job.store(1);
    const measured: number[] = [];
    for (let minute = 0; minute < 61; minute += 1) measured.push(await job.call());
    const minutes = measured.flatMap((count, minute) => (count > 0 ? [minute] : []));
    expect(minutes.slice(0, 15)).toEqual(Array.from({ length: 15 }, (_, minute) => minute));
    expect(minutes.slice(15)).toEqual([15, 30, 45, 60]);
  });
});
