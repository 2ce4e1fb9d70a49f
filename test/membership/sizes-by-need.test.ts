import { describe, expect, it } from 'vitest';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { limits } from '../../shared/config/limits.ts';
import { membershipIndex } from '../../shared/membership/membership.ts';
import { measureAllSizes } from '../../shared/membership/sizes/measure-all.ts';
import { measureSizes } from '../../shared/membership/sizes/measure.ts';
import { readState } from '../../shared/membership/sizes/size-items.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { type Key, keys, ORDINALS_PER_GROUP, TOUCH_SHARDS } from '../../shared/table/keys.ts';
import type { Table } from '../../shared/table/table.ts';
import { unloadedBrands, withoutBrands } from '../support/brands.ts';
import { viewOf } from '../support/table-view.ts';
import { Fixture, property } from '../segments/fixture.ts';
import { surfaced } from '../segments/profiles.ts';

const MINUTE_MS = 60_000;
const { cheapUnits, propertiesAtOnce } = limits.sizes;
const ample = (): boolean => true;

/** Some properties with people, the first of which has a tag, and the job. No property is new any more. */
const setUp = async (count = 1) => {
  const fixture = new Fixture();
  const { table } = fixture;
  const time = { now: Date.UTC(2026, 0, 1) };
  const clock = () => time.now;
  const properties = Array.from({ length: count }, (_, index) => property + index);
  for (const one of properties) {
    await table.put(keys.property(one), { id: one });
    await table.put(keys.listedProperty(one), { property: one });
    await table.increment(keys.counter(one, 'ordinal'), 1);
  }
  const pause = () => Promise.resolve();
  const membership = membershipIndex({ ...fixture.deps, derivations: unloadedBrands, clock, pause });
  const segment = await fixture.tag('t');
  const tag = async (ordinals: readonly number[]): Promise<void> => {
    for (const ordinal of ordinals) fixture.profiles.set(ordinal, surfaced(ordinal, { tags: ['t'] }));
    await membership.reindex(
      { id: property },
      ordinals.map((ordinal) => ({ segment, ordinal })),
    );
  };
  const depsOn = (own: Table) => ({
    ...{ table: own, clock },
    catalogue: segmentCatalogue({ ...fixture.deps, table: own, ...withoutBrands }),
  });
  const call = (minutes: number, hasTime = ample, own: Table = table): Promise<number> => {
    time.now += minutes * MINUTE_MS;
    return measureAllSizes(depsOn(own), hasTime);
  };
  const change = (set: Parameters<typeof table.put>[1]) =>
    table.write({ kind: 'update', key: keys.sizes(property), set, expect: {} });
  const asOf = async (one = property) => (await readState(table, one))?.as_of ?? 0;
  await tag([1]);
  for (let calls = 0; calls < 8; calls += 1) await call(20);
  fixture.operations.length = 0;
  return { fixture, time, tag, deps: depsOn(table), properties, call, change, asOf };
};

describe('an expensive measurement', () => {
  it.each([
    [cheapUnits, 15],
    [cheapUnits + 1, 60],
  ])('of %i units is followed by the next after %i minutes', async (cost, minutes) => {
    const { call, change, asOf } = await setUp();
    const last = await asOf();
    await change({ cost });
    for (let passed = 15; passed < minutes; passed += 15) {
      expect(await call(15)).toBe(0);
      expect(await asOf()).toBe(last);
    }
    expect(await call(15)).toBe(1);
    expect((await asOf()) - last).toBe(minutes * MINUTE_MS);
    // That one found no change.
    expect(await call(15)).toBe(1);
  });

  it('goes on at once when it was interrupted, also one of release 0.2.0, which noted no cost', async () => {
    const { fixture, change, asOf, call } = await setUp();
    await change({ cost: cheapUnits + 1, run: { started: await asOf(), after: 0 } });
    expect(await call(15)).toBe(1);
    expect(await readState(fixture.table, property)).toMatchObject({ run: null, cost: 0 });
  });

  it('is one that counts many groups and writes a long list', async () => {
    const { fixture, tag, deps } = await setUp();
    await tag([1, 2, 3].map((group) => group * ORDINALS_PER_GROUP));
    expect(await measureSizes(deps, property, ample)).toBe('done');
    // Three groups, and a list of a single entry.
    expect((await readState(fixture.table, property))?.cost).toBe(4);
  });
});

it('a property without a change costs one write, and looks at four or five periods', async () => {
  const { fixture, call } = await setUp();
  fixture.operations.length = 0;
  expect(await call(15)).toBe(1);
  const keysOf = (...names: readonly string[]) =>
    fixture.operations.flatMap(({ name, keys: asked }) => (names.includes(name) ? asked : []));
  const isOwn = ({ pk }: Key): boolean => pk.startsWith(`P#${property}`);
  expect(keysOf('insert', 'update', 'put').filter(isOwn)).toEqual([keys.sizes(property)]);
  const read = keysOf('get').filter(isOwn);
  expect(read).toEqual([keys.sizes(property), keys.conditions(property)]);
  const looks = keysOf('query').filter(({ pk }) => kindOfKey(pk) === 'touched');
  expect(looks.length).toBeLessThanOrEqual(5 * TOUCH_SHARDS);
});

describe('many properties', () => {
  it('are measured some at a time', async () => {
    const { fixture, properties, call } = await setUp(20);
    const open = new Set<string>();
    let most = 0;
    const watched = viewOf(fixture.table, {
      get: async (key) => {
        if (properties.some((one) => key.pk === keys.sizes(one).pk)) open.add(key.pk);
        most = Math.max(most, open.size);
        return fixture.table.get(key);
      },
      write: async (write) => {
        const outcome = await fixture.table.write(write);
        open.delete(write.key.pk);
        return outcome;
      },
    });
    expect(await call(15, ample, watched)).toBe(20);
    expect(most).toBe(propertiesAtOnce);
  });

  it('go on in the next round behind the last that was begun', async () => {
    const { properties, asOf, call, time } = await setUp(20);
    const began = new Map<number, number[]>();
    for (let round = 0; round < 4; round += 1) {
      let looks = 6;
      await call(15, () => (looks -= 1) > 0);
      for (const one of properties)
        if ((await asOf(one)) === time.now) began.set(round, [...(began.get(round) ?? []), one]);
    }
    expect([...began.values()].flat()).toEqual(properties.slice(0, [...began.values()].flat().length));
    expect([...began.values()].every((own) => own.length >= propertiesAtOnce)).toBe(true);
  });
});
