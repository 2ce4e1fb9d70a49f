import { describe, expect, it } from 'vitest';
import { dayCalendarId, residueOf } from '../../../shared/catalogue/calendars.ts';
import { segmentCatalogue } from '../../../shared/catalogue/catalogue.ts';
import { cachedDerivations } from '../../../shared/catalogue/derivation.ts';
import { followCalendars } from '../../../shared/membership/calendars/follow-calendars.ts';
import { IndexWork } from '../../../shared/membership/index-work.ts';
import { journal } from '../../../shared/membership/journal.ts';
import { membershipIndex } from '../../../shared/membership/membership.ts';
import { emptyState } from '../../../shared/profiles/profile-state.ts';
import { resolveProfile } from '../../../shared/profiles/resolve-profile.ts';
import type { ResolvedProfile } from '../../../shared/profiles/types.ts';
import { systemIds } from '../../../shared/runtime/ids.ts';
import { dayText, utcDay } from '../../../shared/runtime/utc-days.ts';
import { keys } from '../../../shared/table/keys.ts';
import { scope } from '../../profiles/harness.ts';
import { ConditionHarness } from '../../segments/conditions/harness.ts';
import { MemoryQueue } from '../../support/memory-queue.ts';
import { readsOf } from '../../support/profile-reads.ts';

const TODAY = utcDay('2026-02-26');
const YEAR = 365;

/** People whose day is any of the last year, in the index; `call` is a call of the job of the next day. */
const crowd = async (people: number) => {
  const harness = new ConditionHarness();
  const { table, clock } = harness;
  harness.now = Date.parse('2026-02-26T09:00:00Z');
  const created = harness.now;
  await table.put(keys.listedProperty(scope.id), { property: scope.id });
  const property = { account: 1, name: 'Shop', created, wrappedKey: new Uint8Array(1) };
  await table.put(keys.property(scope.id), property);
  await harness.create({ field: 'extra_data.seen', op: 'older_than_days', value: 90 });
  const dayOf = (ordinal: number): number => TODAY - ((ordinal * 7) % YEAR);
  const blank = resolveProfile(emptyState, 0, { updatedAt: created, created });
  const find = (ordinal: number): ResolvedProfile => ({
    ...{ ...blank, ordinal, fields: { ...blank.fields, unique_id: `u${ordinal}` } },
    extra: { seen: dayText(dayOf(ordinal)) },
  });
  const derivations = cachedDerivations({ table, clock });
  const around = { table, clock, derivations, pause: () => Promise.resolve() };
  const catalogue = segmentCatalogue(around);
  const work = new IndexWork();
  for (let ordinal = 0; ordinal < people; ordinal += 1)
    work.add({ segment: dayCalendarId(scope.id, 0) + residueOf(dayOf(ordinal)), ordinal });
  await membershipIndex({ ...around, catalogue, readProfiles: readsOf(find) }).reindexWork(scope.id, work);
  const read: number[] = [];
  const drains = new MemoryQueue();
  const deps = {
    ...{ ...around, catalogue, drains, ids: systemIds, journal: journal(around) },
    readProfiles: readsOf((ordinal) => {
      read.push(ordinal);
      return find(ordinal);
    }),
  };
  harness.now = Date.parse('2026-02-27T00:07:00Z');
  const announced = async (): Promise<readonly number[]> => {
    const pairs = await deps.journal.pairsWith(
      scope.id,
      Array.from({ length: people }, (_, ordinal) => ordinal),
    );
    return pairs.map(({ ordinal }) => ordinal).sort((a, b) => a - b);
  };
  const leaving = Array.from({ length: people }, (_, ordinal) => ordinal).filter(
    (ordinal) => dayOf(ordinal) === TODAY + 1 - 91,
  );
  return {
    ...{ read, drains, announced, leaving },
    call: (hasTime = () => true) => followCalendars(deps, hasTime),
  };
};

describe('the job of a day', () => {
  it('reads one person in 32 for the end of a window, and announces those whose day it is', async () => {
    const people = 100_000;
    const { call, read, announced, leaving, drains } = await crowd(people);
    expect(await call()).toBe(1);
    expect(read.length).toBeGreaterThan(people / 40);
    expect(read.length).toBeLessThan(people / 25);
    expect(new Set(read).size).toBe(read.length);
    expect(await announced()).toEqual(leaving);
    expect(drains.takeBodies()).toHaveLength(1);
  }, 60_000);

  it('that has time for one chunk a call goes on with the next one, and reads nobody twice', async () => {
    const { call, read, announced, leaving } = await crowd(20_000);
    let calls = 0;
    for (let visited = 0; visited === 0 && calls < 20; calls += 1) {
      let looks = 2;
      visited = await call(() => (looks -= 1) >= 0);
    }
    expect(calls).toBeGreaterThan(3);
    expect(new Set(read).size).toBe(read.length);
    expect(await announced()).toEqual(leaving);
  });
});
