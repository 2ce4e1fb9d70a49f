/**
 * Pointers from names and phone numbers beside everything that writes profiles, in random schedules. In every state of the
 * table a profile that lists a pointer has it; at the end a search finds exactly those who show what it asks for.
 */
import { describe, expect, it } from 'vitest';
import { findPeople } from '../../shared/profiles/find-people.ts';
import { namePointerOf, pointerKeysOf } from '../../shared/profiles/pointer-keys.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { peopleAnswer } from '../../shared/profiles/schemas.ts';
import { givePointers, needsPointers } from '../../shared/profiles/settle-pointers.ts';
import { parseEntry, type OrdinalEntry } from '../../shared/profiles/stored-profile.ts';
import type { PropertyScope } from '../../shared/properties/scope.ts';
import { PROFILES_PER_BLOCK, type Key } from '../../shared/table/keys.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { accepted, NOW, scope as plain } from '../profiles/harness.ts';
import type { MemoryTable } from '../support/memory-table.ts';
import { requestOf, answered } from '../support/requests.ts';
import { casesOf } from '../support/scale.ts';
import { pick, seeded, type Choose } from './interleave.ts';
import { jobs, ofJob, scheduledHarness } from './undo-harness.ts';

const scope: PropertyScope = { ...plain, rules: { ...plain.rules, searchNames: true, allNames: true } };
const JOBS = jobs.slice(0, 2);
const NAMES = ['Müller', 'Mueller-Lang', 'Li', null];
const TOWNS = ['Köln', 'Bonn', null];
const PHONES = ['+4915112345678', '+4915187654321', null];

/** Number of schedules; `SCHEDULES=…` raises it. */
const SCHEDULES = casesOf('SCHEDULES', { full: 2_000, sample: 150 });

const drawn = (choose: Choose): Readonly<Record<string, unknown>> => ({
  email: `p${choose(2)}@example.org`,
  ...(choose(4) === 0 ? { unique_id: `u${choose(2)}` } : {}),
  ...(choose(4) > 0 ? { last_name: pick(NAMES, choose) } : {}),
  ...(choose(3) === 0 ? { city: pick(TOWNS, choose) } : {}),
  ...(choose(3) === 0 ? { phone_number: pick(PHONES, choose) } : {}),
});

type Profile = Extract<OrdinalEntry, { kind: 'profile' }>;

const ordinalOf = ({ pk, sk }: Key): number => Number(pk.split('#').at(-1)) * PROFILES_PER_BLOCK + Number(sk);

const profilesIn = (table: Pick<MemoryTable, 'items'>): readonly (readonly [number, Profile])[] =>
  table
    .items('profile')
    .flatMap((item) => {
      const entry = parseEntry(item);
      return entry.kind === 'profile' ? [[ordinalOf(item), entry] as const] : [];
    })
    .sort(([one], [other]) => one - other);

const pointersIn = (table: Pick<MemoryTable, 'items'>): readonly string[] =>
  table
    .items()
    .filter(({ pk }) => ['phone-pointer', 'name-pointer'].includes(kindOfKey(pk)))
    .map(({ pk, sk }) => `${pk} ${sk}`);

/** What is wrong with the pointers of a state: `all` says whether every writer knew that names have them. */
const faultsIn = (table: Pick<MemoryTable, 'items'>, all: boolean): readonly string[] => {
  const there = new Set(pointersIn(table));
  return profilesIn(table).flatMap(([ordinal, { pointers, state }]) => {
    const live = pointers.filter((one) => !one.startsWith('-'));
    const missing = pointerKeysOf(scope.id, ordinal, live).filter(({ pk, sk }) => !there.has(`${pk} ${sk}`));
    const wanted = namePointerOf(scope, state);
    const isListed = !all || wanted === undefined || live.includes(wanted);
    return [
      ...missing.map(({ pk }) => `${ordinal} lacks ${pk}`),
      ...(isListed ? [] : [`${ordinal} lists no name`]),
    ];
  });
};

const searchIn = (table: MemoryTable) => {
  const deps = {
    table,
    scopeOf: () => Promise.resolve(scope),
    readProfiles: profileRepository({ table }).readEach,
  };
  return async (last_name: string, city?: string) => {
    const query = { last_name, ...(city !== undefined && { city }) };
    const asked = requestOf({ property: scope.id, now: NOW, query, body: undefined });
    const { profiles, complete } = await answered(findPeople(deps, asked), peopleAnswer);
    return { emails: profiles.map(({ email, unique_id }) => email ?? unique_id), complete };
  };
};

/** Gives everybody the pointers of the rules, as the pass over all people does. */
const pass = async (table: MemoryTable, own: PropertyScope): Promise<void> => {
  const due = profilesIn(table).filter(([, { state, pointers }]) => needsPointers(own, state, pointers));
  const deps = { table, pause: () => Promise.resolve() };
  await givePointers(
    deps,
    own,
    due.map(([ordinal]) => ({ ordinal })),
  );
};

interface Play {
  readonly deadly: number;
  /** Whether some processes still know the rule of before. */
  readonly stale: boolean;
}

const play = async (seed: number, { deadly, stale }: Play) => {
  const choose = seeded(seed);
  let now = scope;
  const { table, harness, store } = await scheduledHarness(JOBS, { scopeNow: () => now });
  const faults: string[] = [];
  const watching: Choose = (count) => {
    faults.push(...faultsIn(table, !stale));
    // Each process reads its rules when it begins, and at other times.
    if (stale) now = choose(3) === 0 ? plain : scope;
    return choose(count);
  };
  const orders = Array.from({ length: 12 }, (_, order) => order).sort(() => choose(3) - 1);
  const batchOf = (job: number) =>
    Array.from({ length: 1 + choose(2) }, () => ofJob(job, drawn(choose), orders.pop() ?? 0));
  const before = [batchOf(pick(JOBS, choose)), batchOf(pick(JOBS, choose))];
  for (const batch of before) await store(...batch);
  const beside = [pick(before, choose), batchOf(pick(JOBS, choose))];
  const undone = choose(2) === 0 ? [pick(JOBS, choose)] : [];
  const acts = [
    ...beside.map((batch) => () => store(...batch)),
    () => harness.post(accepted(drawn(choose), 20)),
    () => harness.post(accepted(drawn(choose), 21)),
    ...undone.map((job) => () => harness.undo(job)),
    ...(choose(3) === 0 ? [() => harness.forget(profilesIn(table)[0]?.[0] ?? 0)] : []),
    ...(choose(2) === 0 ? [() => pass(table, stale && choose(2) === 0 ? plain : scope)] : []),
  ];
  await table.interleave<unknown>(acts, watching, deadly);
  await expectExactUnless(stale, table, seed);
  // Whatever died or gave up is delivered again.
  now = scope;
  for (const job of undone) await harness.undo(job);
  for (const batch of [...before, ...beside]) await store(...batch);
  return { table, faults };
};

/** What a search must find: everybody whose stored profile shows the name, in the order of their ordinals. */
const expectExact = async (table: MemoryTable, why: string): Promise<void> => {
  const people = profilesIn(table);
  const search = searchIn(table);
  const repository = profileRepository({ table });
  const shown = await repository.readMany(
    scope.id,
    people.map(([ordinal]) => ordinal),
  );
  const fold = (text: string | null | undefined) =>
    (text ?? '').toLowerCase().replace('-', '').replace('ue', 'u').replace('ü', 'u').replace('ö', 'o');
  for (const [name, city] of [
    ['Mül', undefined],
    ['mueller', undefined],
    ['MULLER', 'köl'],
    ['Müller Lang', undefined],
    ['Mullerl', 'B'],
    ['li', 'Bonn'],
  ] as const) {
    const asked = fold(name.replace(' ', ''));
    const matching = people.flatMap(([ordinal]) => {
      const one = shown.get(ordinal);
      const own = fold(one?.fields.last_name);
      const isNamed = asked.length < 3 ? own === asked : own.startsWith(asked);
      const isThere = city === undefined || fold(one?.fields.city).startsWith(fold(city));
      const id = one?.fields.email ?? one?.fields.unique_id;
      return isNamed && isThere && id ? [id] : [];
    });
    expect(await search(name, city), why).toEqual({ emails: matching, complete: true });
  }
};

const expectExactUnless = async (stale: boolean, table: MemoryTable, seed: number): Promise<void> => {
  if (!stale) await expectExact(table, `at once, seed ${seed}`);
};

describe('pointers beside writers, undos, forgettings and the pass over all people', () => {
  const seeds = Array.from({ length: SCHEDULES }, (_, seed) => seed);

  it('are there in every state, are exact at the end, and end with their values', async () => {
    for (const seed of seeds) {
      const { table, faults } = await play(seed, { deadly: Number.POSITIVE_INFINITY, stale: false });
      const why = `seed ${seed}`;
      expect(faults, why).toEqual([]);
      await expectExact(table, why);
      // The first pass may find pointers that ended while somebody stored them once more.
      await pass(table, scope);
      await pass(table, scope);
      const live = profilesIn(table).flatMap(([ordinal, { pointers }]) => {
        expect(
          pointers.filter((one) => one.startsWith('-')),
          why,
        ).toEqual([]);
        return pointerKeysOf(scope.id, ordinal, pointers).map(({ pk, sk }) => `${pk} ${sk}`);
      });
      expect(pointersIn(table).toSorted(), why).toEqual(live.toSorted());
    }
  });

  it('are there in every state and lead to nobody else where processes die', async () => {
    for (const seed of seeds) {
      const { table, faults } = await play(seed, { deadly: 25, stale: false });
      const why = `seed ${seed}`;
      expect(faults, why).toEqual([]);
      expect(faultsIn(table, true), why).toEqual([]);
      await expectExact(table, why);
    }
  });

  it('are there in every state where some processes know an earlier rule, and exact after the pass', async () => {
    for (const seed of seeds) {
      const { table, faults } = await play(seed, { deadly: Number.POSITIVE_INFINITY, stale: true });
      const why = `seed ${seed}`;
      expect(faults, why).toEqual([]);
      await pass(table, scope);
      expect(faultsIn(table, true), why).toEqual([]);
      await expectExact(table, why);
      await pass(table, plain);
      await pass(table, plain);
      expect(
        pointersIn(table)
          .toSorted()
          .filter((one) => one.includes('#NAME#')),
        why,
      ).toEqual([]);
    }
  });
});
