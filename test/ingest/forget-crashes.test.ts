import { describe, expect, it } from 'vitest';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import { parseEntry } from '../../shared/profiles/stored-profile.ts';
import { identityKinds, keys } from '../../shared/table/keys.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { dyingAnywhere } from '../support/death.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { viewOf } from '../support/table-view.ts';
import { expectConsistent } from './consistency.ts';
import { expectIndexed, indexedHarness, memberships } from './indexed-harness.ts';
import { seeded, TurnTable } from './interleave.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { casesOf } from '../support/scale.ts';

type MortalHarness = ReturnType<typeof indexedHarness> & { readonly table: MemoryTable };

/** Runs `act` in new harnesses, killed at its first operation, at its second, and so on until it completes. */
const killedEverywhere = (
  prepare: (harness: MortalHarness) => Promise<unknown>,
  act: (harness: MortalHarness) => Promise<unknown>,
  check: (harness: MortalHarness) => Promise<void>,
  needsAll = false,
): Promise<number> =>
  dyingAnywhere({
    needsAll,
    begin: async (tick) => {
      const table = new MemoryTable(tick);
      const harness = { table, ...indexedHarness(table) };
      await prepare(harness);
      return harness;
    },
    run: act,
    check,
  });

const known = { unique_id: 'u', email: 'a@b.co', social_id: 's', city: 'Bonn', source: 'shop' };
const change = [
  accepted({ unique_id: 'u', city: 'Rome', source: 'web' }, 1),
  accepted({ email: 'new@b.co', social_id: 'n', gender: 'f' }, 2),
];

describe.each(['now', 'later'] as const)(
  'a writer that indexes %s and is killed at any operation',
  (index) => {
    it('leaves profiles and an index that agree after a sweep, and a repetition completes its work', async () => {
      const operations = await killedEverywhere(
        ({ apply }) => apply([accepted(known)]),
        ({ apply }) => apply(change, index),
        async ({ table, apply, sweep, clock, find }) => {
          await sweep();
          await expectIndexed(table, clock.now);
          await apply(change, index);
          await sweep();
          expectConsistent(table);
          await expectIndexed(table, clock.now);
          expect(await find({ kind: 'unique_id', value: 'u' })).toMatchObject({ fields: { city: 'Rome' } });
          expect(await find({ kind: 'social_id', value: 'n' })).toMatchObject({ fields: { gender: 'f' } });
        },
      );
      expect(operations).toBeGreaterThan(10);
    });
  },
);

/** Expects the person to be stored as before, or to be removed completely. */
const expectAllOrNothing = async ({ table, find, clock }: MortalHarness): Promise<'there' | 'gone'> => {
  await expectIndexed(table, clock.now);
  expectConsistent(table);
  const slot = parseEntry(await table.get(keys.profile(scope.id, 0)));
  const found = await Promise.all(identityKinds.map((kind) => find({ kind, value: known[kind] })));
  if (slot.kind === 'profile') {
    expect(found.every((profile) => profile?.ordinal === 0)).toBe(true);
    return 'there';
  }
  expect(slot).toMatchObject({ kind: 'forgotten', unfinished: null });
  expect(found).toEqual([undefined, undefined, undefined]);
  expect(table.items('journal')).toEqual([]);
  return 'gone';
};

describe('a forgetting that is killed at any operation', () => {
  it('is finished or undone by a sweep', async () => {
    const ends = new Set<string>();
    await killedEverywhere(
      ({ apply }) => apply([accepted(known)]),
      ({ forget }) => forget(0),
      async (harness) => {
        await harness.sweep();
        ends.add(await expectAllOrNothing(harness));
      },
    );
    expect(ends).toEqual(new Set(['there', 'gone']));
  });

  it('is finished or undone for each of several people, by a sweep or a repetition', async () => {
    const records = [0, 1, 2].map((n) =>
      accepted({ email: `p${n}@b.co`, city: `City ${n}`, source: 'shop' }),
    );
    const people = records.map((_, ordinal) => ordinal);
    const ends = new Set<number>();
    await killedEverywhere(
      ({ apply }) => apply([...records, accepted({ email: 'stays@b.co', source: 'shop' })]),
      ({ forgetAll }) => forgetAll(people),
      async ({ table, sweep, forgetAll, find, clock }) => {
        await sweep();
        await expectIndexed(table, clock.now);
        expectConsistent(table);
        const left = await Promise.all(people.map((n) => find({ kind: 'email', value: `p${n}@b.co` })));
        const before = left.filter((one) => one !== undefined).length;
        ends.add(before);
        expect((await forgetAll(people)).size).toBe(before);
        await expectIndexed(table, clock.now);
        expect(await find({ kind: 'email', value: 'stays@b.co' })).toMatchObject({ ordinal: 3 });
      },
      true,
    );
    expect([...ends].toSorted()).toEqual([0, 1, 2, 3]);
  });

  it('is finished by a repetition, which hides the person before it answers', async () => {
    await killedEverywhere(
      ({ apply }) => apply([accepted(known)]),
      ({ forget }) => forget(0),
      async (harness) => {
        await harness.forget(0);
        await expectIndexed(harness.table, harness.clock.now);
        await harness.sweep();
        expect(await expectAllOrNothing(harness)).toBe('gone');
      },
    );
  });

  it('is on the list of forgotten people before the person is gone, and stays there', async () => {
    await killedEverywhere(
      ({ apply }) => apply([accepted(known)]),
      ({ deleteProfile }) => deleteProfile(known.email),
      async ({ table, sweep, clock, find }) => {
        const listed = async () =>
          (await Array.fromAsync(forgottenPeople(table).since(scope.id, NOW)))
            .flat()
            .map(({ ordinal }) => ordinal);
        const { kind } = parseEntry(await table.get(keys.profile(scope.id, 0)));
        if (kind === 'forgotten') expect(await listed()).toEqual([0]);
        await sweep();
        if (kind === 'forgotten') expect(await listed()).toEqual([0]);
        else expect(await find({ kind: 'email', value: known.email })).toBeDefined();
        expect(clock.now).toBeGreaterThan(NOW);
      },
    );
  });

  it('is finished by the same DELETE, without a sweep', async () => {
    const statuses = new Set<number>();
    await killedEverywhere(
      ({ apply }) => apply([accepted(known)]),
      ({ deleteProfile }) => deleteProfile(known.email),
      async (harness) => {
        statuses.add(await harness.deleteProfile(known.email));
        expect((await memberships(harness.table, harness.clock.now)).indexed).toEqual({});
      },
    );
    expect(statuses).toEqual(new Set([200, 404]));
  });

  it('is finished by a second sweep when the first is killed too', async () => {
    await killedEverywhere(
      async ({ table, apply }) => {
        await apply([accepted(known)]);
        // Only the tombstone is written: the journal entry, its pairs and all claims remain.
        const dying = viewOf(table, {
          write: async (write) => {
            const outcome = await table.write(write);
            if (kindOfKey(write.key.pk) === 'profile') throw new Error('killed');
            return outcome;
          },
        });
        await expect(indexedHarness(dying).forget(0)).rejects.toThrow('killed');
        expect(parseEntry(await table.get(keys.profile(scope.id, 0))).kind).toBe('forgotten');
      },
      ({ sweep }) => sweep(),
      async (harness) => {
        await harness.sweep();
        expect(await expectAllOrNothing(harness)).toBe('gone');
      },
    );
  });
});

describe('a forgetting among writers', () => {
  const SCHEDULES = casesOf('SCHEDULES', { full: 300, sample: 60 });
  const drawn = (choose: (below: number) => number, order: number) =>
    accepted(
      {
        ...(choose(2) === 0 ? { unique_id: `u${choose(2)}` } : {}),
        email: `${choose(2)}@b.co`,
        ...(choose(3) === 0 ? { social_id: 's' } : {}),
        tags: [{ datetime: '2026-01-01 00:00:00', tag: [`tag ${choose(3)}`] }],
      },
      order,
      choose(3) === 0 ? { latest: true } : {},
    );

  it.each([Number.POSITIVE_INFINITY, 40])(
    'leaves claims that lead to profiles, and an index that agrees with them (one operation in %d kills)',
    async (deadly) => {
      for (let seed = 0; seed < SCHEDULES; seed += 1) {
        const choose = seeded(seed);
        const table = new TurnTable();
        const { apply, forget, sweep, clock } = indexedHarness(table);
        await apply([accepted({ unique_id: 'u0', email: '0@b.co' })]);
        clock.now = NOW + 1_000;
        const batches = Array.from({ length: 3 }, (_, at) => [
          drawn(choose, at * 2),
          drawn(choose, at * 2 + 1),
        ]);
        const acts = [
          ...batches.map((batch) => () => apply(batch, choose(2) === 0 ? 'now' : 'later')),
          () => forget(0),
        ];
        await table.interleave<unknown>(acts, choose, deadly);
        if (Number.isFinite(deadly)) for (const batch of batches) await apply(batch);
        await sweep();
        expectConsistent(table);
        await expectIndexed(table, clock.now);
      }
    },
  );
});
