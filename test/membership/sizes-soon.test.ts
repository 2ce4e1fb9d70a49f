import { describe, expect, it } from 'vitest';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { limits } from '../../shared/config/limits.ts';
import { membershipIndex } from '../../shared/membership/membership.ts';
import { measureAllSizes } from '../../shared/membership/sizes/measure-all.ts';
import { measureSoon } from '../../shared/membership/sizes/measure-soon.ts';
import { readState } from '../../shared/membership/sizes/size-items.ts';
import type { Log } from '../../shared/runtime/log.ts';
import { keys } from '../../shared/table/keys.ts';
import type { Table } from '../../shared/table/table.ts';
import { unloadedBrands, withoutBrands } from '../support/brands.ts';
import { viewOf } from '../support/table-view.ts';
import { Fixture, property } from '../segments/fixture.ts';
import { surfaced } from '../segments/profiles.ts';

const MINUTE_MS = 60_000;
const { cheapUnits, freeUnits } = limits.sizes;

/** A property with a tag, the end of an import, and the job that is called every two minutes. */
const setUp = async () => {
  const fixture = new Fixture();
  const { table } = fixture;
  const time = { now: Date.UTC(2026, 0, 1) };
  const clock = () => time.now;
  await table.put(keys.property(property), { id: property });
  await table.put(keys.listedProperty(property), { property });
  await table.increment(keys.counter(property, 'ordinal'), 1);
  const pause = () => Promise.resolve();
  const membership = membershipIndex({ ...fixture.deps, derivations: unloadedBrands, clock, pause });
  const catalogue = segmentCatalogue({ ...fixture.deps, ...withoutBrands });
  const segment = await fixture.tag('t');
  const logged: string[] = [];
  const log: Log = (code) => void logged.push(code);
  let people = 0;
  /** A second later the index takes in a person, and then the work ends. */
  const end = async (own: Table = table): Promise<void> => {
    time.now += 1_000;
    const ordinal = (people += 1);
    fixture.profiles.set(ordinal, surfaced(ordinal, { tags: ['t'] }));
    await membership.reindex({ id: property }, [{ segment, ordinal }]);
    await measureSoon({ table: own, catalogue, clock, log }, property);
  };
  const call = (minutes: number): Promise<number> => {
    time.now += minutes * MINUTE_MS;
    return measureAllSizes({ table, catalogue, clock }, () => true);
  };
  const state = () => readState(table, property);
  const counted = async () => (await state())?.lists[0]?.starts.find((one) => one.segment === segment)?.count;
  const change = (set: Parameters<typeof table.put>[1]) =>
    table.write({ kind: 'update', key: keys.sizes(property), set, expect: {} });
  /** An old property, whose last measurement has cost so much. */
  const older = async (cost: number): Promise<void> => {
    await end();
    for (let rounds = 0; rounds < 8; rounds += 1) await call(15);
    await change({ cost });
    fixture.operations.length = 0;
  };
  return { fixture, time, logged, end, call, state, counted, change, older };
};

describe('the end of an import', () => {
  it('is counted at once in a property that was never measured', async () => {
    const { end, counted, state, time } = await setUp();
    await end();
    expect(await counted()).toBe(1);
    expect(await state()).toMatchObject({ as_of: time.now, run: null });
  });

  it.each([0, freeUnits])('is counted at once where the last measurement cost %i units', async (cost) => {
    const { end, counted, older, change } = await setUp();
    await older(cost);
    await end();
    expect(await counted()).toBe(2);
    await change({ cost });
    await end();
    expect(await counted()).toBe(3);
  });

  it('leaves its note beside a measurement under way, which goes on', async () => {
    const { fixture, time, end, state, older, change } = await setUp();
    await older(0);
    const notedAt = Date.UTC(2027, 0, 1);
    const noting = viewOf(fixture.table, {
      query: async (...asked) => {
        await change({ wanted: notedAt });
        return fixture.table.query(...asked);
      },
    });
    await end(noting);
    expect(await state()).toMatchObject({ as_of: time.now, run: null, wanted: notedAt });
  });

  it('goes on with an interrupted measurement, and then counts what came after its begin', async () => {
    const { end, counted, state, older, change, time } = await setUp();
    await older(0);
    await change({ run: { started: time.now - MINUTE_MS, after: Number.MAX_SAFE_INTEGER } });
    await end();
    expect(await counted()).toBe(2);
    expect(await state()).toMatchObject({ as_of: time.now, run: null });
  });

  it('stays true beside a measurement that began before it', async () => {
    const { end, state, older, change, time } = await setUp();
    await older(0);
    await change({ run: { started: time.now - MINUTE_MS, after: 0, cost: cheapUnits } });
    const { now } = time;
    await end();
    // The list says the time of the begin of its measurement, which was too expensive for another.
    expect(await state()).toMatchObject({ as_of: now - MINUTE_MS, wanted: time.now });
  });
});

describe('a property that was measured lately', () => {
  it.each([
    [cheapUnits / 5, 4],
    [cheapUnits / 2, 8],
    [cheapUnits + 1, 54],
  ])(
    'for %i units counts the ends of all imports together, up to %i minutes later',
    async (cost, minutes) => {
      const { end, call, counted, older } = await setUp();
      await older(cost);
      await end();
      await end();
      for (let passed = 2; passed < minutes; passed += 2) {
        await call(2);
        expect(await counted()).toBe(1);
      }
      await call(2);
      expect(await counted()).toBe(3);
    },
  );

  it('is not measured again before the next round without another import', async () => {
    const { end, call, older } = await setUp();
    await older(cheapUnits / 5);
    await end();
    const measured = [];
    for (let minute = 2; minute <= 14; minute += 2) measured.push(await call(2));
    expect(measured).toEqual([0, 1, 0, 0, 0, 0, 0]);
  });
});

it('a measurement that fails is logged, and does not fail the import', async () => {
  const { fixture, end, logged, state } = await setUp();
  const busy = viewOf(fixture.table, { query: () => Promise.reject(new Error('busy')) });
  await end(busy);
  expect(logged).toEqual(['sizes.postponed']);
  expect((await state())?.as_of).toBeNull();
});
