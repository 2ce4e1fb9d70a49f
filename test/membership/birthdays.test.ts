import { describe, expect, it } from 'vitest';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { followCalendars } from '../../shared/membership/calendars/follow-calendars.ts';
import { monthsBetween } from '../../shared/membership/calendars/days.ts';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { membersFrom } from '../../shared/membership/walk-members.ts';
import { birthMonthId } from '../../shared/catalogue/calendars.ts';
import { journal } from '../../shared/membership/journal.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { keys } from '../../shared/table/keys.ts';
import {
  drainRequested,
  indexedHarness,
  memberships,
  processOf,
  sweepBy,
} from '../ingest/indexed-harness.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { dyingAnywhere } from '../support/death.ts';
import { MemoryQueue } from '../support/memory-queue.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { referencesHarness } from '../references/harness.ts';
import { unloadedBrands, withoutBrands } from '../support/brands.ts';
import { seeded } from '../ingest/interleave.ts';

const DAY_MS = 86_400_000;
const ample = (): boolean => true;

/** A property with people, and the birthday job of this property, created at `NOW` (15 January 2026). */
const birthdayHarness = async (table = new MemoryTable()) => {
  const people = indexedHarness(table);
  const id = scope.id;
  await table.put(keys.listedProperty(id), { property: id });
  const wrappedKey = new Uint8Array(1);
  await table.put(keys.property(id), { account: 1, name: 'Shop', created: NOW, wrappedKey });
  const surroundings = { table, clock: () => people.clock.now, pause: () => Promise.resolve() };
  const run = async (hasTime = ample): Promise<number> => {
    const catalogue = segmentCatalogue({ table, ...withoutBrands });
    const profiles = profileRepository({ table });
    const readProfiles = profiles.readEach;
    const drains = new MemoryQueue();
    const followed = await followCalendars(
      {
        ...{ ...surroundings, catalogue, readProfiles, drains, ids: systemIds },
        ...{ derivations: unloadedBrands, journal: journal(surroundings) },
      },
      hasTime,
    );
    await drainRequested(processOf(surroundings), drains);
    return followed;
  };
  /** Sets the clock to five past midnight of a day. */
  const wakeOn = (day: string): void => {
    people.clock.now = Date.parse(`${day}T00:05:00Z`);
  };
  let order = 0;
  const store = async (sent: Record<string, unknown>, index: 'now' | 'later' = 'now'): Promise<number> => {
    order += 1;
    const stamp = stampOf(people.clock.now, order);
    const [outcome] = await people.apply([accepted(sent, order, { stamp })], index);
    if (outcome?.kind === 'refused') throw new Error(outcome.refusal.message);
    return outcome && 'ordinal' in outcome ? outcome.ordinal : -1;
  };
  const band = async (name: string): Promise<readonly number[]> => {
    const [segment] = (
      await segmentCatalogue({ table, ...withoutBrands }).find(id, `Age: ${name}`, { limit: 1 })
    ).items;
    if (!segment) return [];
    return Array.fromAsync(membersFrom(table, { property: id, expression: segment.id }));
  };
  /** Indexes what a call has announced that died before it asked for the drains. */
  const sweep = () => sweepBy(processOf(surroundings));
  return { table, people, run, wakeOn, store, band, sweep };
};

const expectTrue = async ({ table, people }: Awaited<ReturnType<typeof birthdayHarness>>): Promise<void> => {
  const { indexed, derived } = await memberships(table, people.clock.now);
  expect(indexed).toEqual(derived);
};

describe('the birthday job', () => {
  it('moves people to their next age band on their birthday', async () => {
    const harness = await birthdayHarness();
    const ada = await harness.store({ unique_id: 'ada', birthday: '2001-02-03' });
    harness.wakeOn('2026-02-02');
    expect(await harness.run()).toBe(1);
    expect([await harness.band('18-24'), await harness.band('25-34')]).toEqual([[ada], []]);
    harness.wakeOn('2026-02-03');
    await harness.run();
    expect([await harness.band('18-24'), await harness.band('25-34')]).toEqual([[], [ada]]);
    expect(await harness.run()).toBe(0);
  });

  it('treats a birthday on 29 February as 1 March in a common year', async () => {
    const harness = await birthdayHarness();
    const leap = await harness.store({ unique_id: 'leap', birthday: '2008-02-29' });
    harness.wakeOn('2026-02-28');
    await harness.run();
    expect(await harness.band('18-24')).toEqual([]);
    harness.wakeOn('2026-03-01');
    await harness.run();
    expect(await harness.band('18-24')).toEqual([leap]);
    expect(monthsBetween('2026-02-27', '2026-02-28')).toEqual([2]);
    expect(monthsBetween('2026-02-28', '2026-03-01')).toEqual([2, 3]);
    expect(monthsBetween('2025-12-30', '2026-01-02')).toEqual([1, 12]);
    expect(monthsBetween('2020-01-01', '2026-01-01')).toHaveLength(12);
  });

  it('catches up on birthdays that it missed for a week', async () => {
    const harness = await birthdayHarness();
    for (const [n, day] of ['01', '04', '07', '08', '09'].entries())
      await harness.store({ unique_id: `u${n}`, birthday: `2001-02-${day}` });
    harness.wakeOn('2026-02-01');
    await harness.run();
    expect(await harness.band('25-34')).toHaveLength(1);
    harness.wakeOn('2026-02-08');
    await harness.run();
    expect(await harness.band('25-34')).toHaveLength(4);
    await expectTrue(harness);
  });
});

it('age bands stay correct through a year of new, changed and forgotten people, although the job misses days', async () => {
  for (let seed = 1; seed <= 4; seed += 1) {
    const choose = seeded(seed);
    const harness = await birthdayHarness();
    const birthday = (): string => {
      const year = [1961, 1971, 1981, 1991, 2001, 2008][choose(6)] ?? 2001;
      return new Date(Date.UTC(year, 0, 1 + choose(366))).toISOString().slice(0, 10);
    };
    for (let round = 0; round < 40; round += 1) {
      harness.people.clock.now += DAY_MS * (1 + (choose(4) === 0 ? choose(28) : 0));
      // Some people write before the job has run that day, some after.
      for (const when of ['before', 'after']) {
        for (let n = choose(6); n > 0; n -= 1)
          await harness.store({ unique_id: `u${choose(30)}`, birthday: birthday(), gender: when });
        const who = await harness.people.find({ kind: 'unique_id', value: `u${choose(30)}` });
        if (who && choose(8) === 0) await harness.people.forget(who.ordinal);
        if (when === 'before') await harness.run();
      }
      await expectTrue(harness);
    }
  }
}, 60_000);

describe('a run of the birthday job', () => {
  const crowd = async (harness: Awaited<ReturnType<typeof birthdayHarness>>): Promise<void> => {
    await harness.people.apply(
      Array.from({ length: 30 }, (_, n) =>
        accepted({ unique_id: `u${n}`, birthday: `2001-0${1 + (n % 3)}-1${n % 10}` }, n),
      ),
    );
  };

  it('resumes where the last run ran out of time', async () => {
    const harness = await birthdayHarness();
    await crowd(harness);
    harness.wakeOn('2026-04-01');
    let calls = 0;
    // Each run has time to look at people once.
    for (let visited = 0; visited === 0; calls += 1) {
      let looks = 2;
      visited = await harness.run(() => (looks -= 1) >= 0);
      expect(calls).toBeLessThan(10);
    }
    expect(calls).toBeGreaterThan(2);
    await expectTrue(harness);
  });

  it('completes after a crash at any operation', () =>
    dyingAnywhere({
      begin: async (tick) => {
        const harness = await birthdayHarness(new MemoryTable(tick));
        await harness.people.apply([accepted({ unique_id: 'u', birthday: '2001-02-03' })]);
        harness.wakeOn('2026-02-04');
        return harness;
      },
      run: ({ run }) => run(),
      check: async (harness) => {
        await harness.run();
        await harness.sweep();
        await expectTrue(harness);
      },
    }));

  it('waits until the changes announced the day before are indexed', async () => {
    const harness = await birthdayHarness();
    harness.people.clock.now = Date.parse('2026-02-02T23:59:59Z');
    const late = await harness.store({ unique_id: 'late', birthday: '2001-02-03' }, 'later');
    harness.wakeOn('2026-02-03');
    await harness.run();
    expect(await harness.band('25-34')).toEqual([]);
    await harness.people.sweep();
    await harness.run();
    expect([await harness.band('18-24'), await harness.band('25-34')]).toEqual([[], [late]]);
  });
});

it('a birth month is a segment of the index only', async () => {
  const harness = await birthdayHarness();
  const ada = await harness.store({ unique_id: 'ada', birthday: '2001-02-03' });
  const february = birthMonthId(scope.id, 2);
  const members = membersFrom(harness.table, { property: scope.id, expression: february });
  expect(await Array.fromAsync(members)).toEqual([ada]);
  const catalogue = segmentCatalogue({ table: harness.table, ...withoutBrands });
  const listed = (await catalogue.list(scope.id, { limit: 1_000 })).items;
  expect(listed.map(({ name }) => name).sort()).toEqual(['Age: 18-24', 'everyone']);
  expect((await catalogue.find(scope.id, '02', { limit: 10 })).items).toEqual([]);
  expect(await catalogue.get(scope.id, february)).toBeUndefined();
  expect(await referencesHarness(harness.table).makeSegment({ not: february })).toMatchObject({
    status: 422,
  });
  expect((await harness.people.forget(ada))?.segments).toBe(1);
  const left = membersFrom(harness.table, { property: scope.id, expression: february });
  expect(await Array.fromAsync(left)).toEqual([]);
});
