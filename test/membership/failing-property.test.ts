import { describe, expect, it } from 'vitest';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { followCalendars } from '../../shared/membership/calendars/follow-calendars.ts';
import { journal } from '../../shared/membership/journal.ts';
import { membershipIndex } from '../../shared/membership/membership.ts';
import { measureAllSizes } from '../../shared/membership/sizes/measure-all.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { keys } from '../../shared/table/keys.ts';
import { unloadedBrands } from '../support/brands.ts';
import { MemoryQueue } from '../support/memory-queue.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { readsOf } from '../support/profile-reads.ts';

const QUARTER_MS = 900_000;
const [BROKEN, WELL] = [1001, 1002];

/** Two properties. The work for the first property is about to fail. */
const setUp = async () => {
  const table = new MemoryTable();
  const time = { now: Date.UTC(2026, 0, 10, 1) };
  for (const property of [BROKEN, WELL]) {
    const created = Date.UTC(2026, 0, 1);
    const set = { id: property, account: 1, created, wrappedKey: new Uint8Array(8), name: 'p' };
    await table.put(keys.property(property), set);
    await table.put(keys.listedProperty(property), { property });
    await table.increment(keys.counter(property, 'ordinal'), 1);
  }
  const around = {
    table,
    clock: () => time.now,
    pause: () => Promise.resolve(),
    derivations: unloadedBrands,
  };
  const catalogue = segmentCatalogue(around);
  const readProfiles = readsOf(() => undefined);
  const membership = membershipIndex({ ...around, catalogue, readProfiles });
  const queue = { drains: new MemoryQueue(), ids: systemIds };
  return { ...around, ...queue, time, catalogue, readProfiles, membership, journal: journal(around) };
};

describe('a property whose work always fails', () => {
  it('does not stop the size measurement of other properties, and its failure is reported', async () => {
    const deps = await setUp();
    await measureAllSizes(deps, () => true);
    await deps.table.put(keys.sizes(BROKEN), { calls: 'broken' });
    for (let call = 0; call < 10; call += 1) {
      deps.time.now += QUARTER_MS;
      await expect(measureAllSizes(deps, () => true)).rejects.toThrow('Invalid type');
    }
    const state = await deps.table.get(keys.sizes(WELL));
    expect(Number(state?.['as_of'])).toBeGreaterThan(deps.time.now - 2 * QUARTER_MS);
  });

  it('does not stop the size measurement of new properties in between', async () => {
    const deps = await setUp();
    await measureAllSizes(deps, () => true);
    await deps.table.put(keys.sizes(BROKEN), { calls: 'broken' });
    deps.time.now += 60_000;
    expect(await measureAllSizes(deps, () => true)).toBe(1);
    expect((await deps.table.get(keys.sizes(WELL)))?.['as_of']).toBe(deps.time.now);
  });

  it('does not stop the calendars job of other properties, and is visited again', async () => {
    const deps = await setUp();
    await deps.table.put(keys.birthdays(BROKEN), { day: 7 });
    for (let call = 0; call < 3; call += 1) {
      deps.time.now += QUARTER_MS;
      await expect(followCalendars(deps, () => true)).rejects.toThrow('Invalid type');
    }
    expect((await deps.table.get(keys.birthdays(WELL)))?.['day']).toBe('2026-01-10');
    await deps.table.put(keys.birthdays(BROKEN), { day: '2026-01-09', place: null });
    expect(await followCalendars(deps, () => true)).toBe(2);
    expect((await deps.table.get(keys.birthdays(BROKEN)))?.['day']).toBe('2026-01-10');
  });
});
