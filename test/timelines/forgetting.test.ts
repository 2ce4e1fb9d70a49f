import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { countMembers } from '../../shared/membership/read-members.ts';
import { membersFrom } from '../../shared/membership/walk-members.ts';
import { everyoneId, identityKey } from '../../shared/catalogue/identity.ts';
import { parseMoment } from '../../shared/membership/moments.ts';
import type { SegmentExpression } from '../../shared/catalogue/types.ts';
import { allItems } from '../../shared/table/all-items.ts';
import { keys } from '../../shared/table/keys.ts';
import type { Table, Write } from '../../shared/table/table.ts';
import { indexedHarness } from '../ingest/indexed-harness.ts';
import { seeded, TurnTable, type Choose } from '../ingest/interleave.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { viewOf, withoutWrites } from '../support/table-view.ts';
import { HOUR, timelineHarness } from './harness.ts';
import { casesOf } from '../support/scale.ts';

/** Schedules tried; more by `SCHEDULES=…`. */
const SCHEDULES = casesOf('SCHEDULES', { full: 150, sample: 30 });
const property = scope.id;
const everyone = everyoneId(property);

/** Ways to leave out one guard, to show that its absence is noticed. */
interface Sabotage {
  /** Writes of the forgetting process that are acknowledged but not applied. */
  readonly isLost?: (write: Write) => boolean;
  /** The forgetting process reads the list of moments once. */
  readonly looksOnce?: boolean;
}

const sabotaged = (table: Table, { isLost = () => false, looksOnce = false }: Sabotage): Table => {
  let listed: ReturnType<Table['query']> | undefined;
  return viewOf(withoutWrites(table, isLost), {
    query: (pk, range) =>
      looksOnce && pk === keys.moments(property)
        ? (listed ??= table.query(pk, range))
        : table.query(pk, range),
  });
};

const levelX = {
  type: 'demographic',
  path: ['Demographics', 'Education level'],
  name: 'Education level: X',
} as const;

/** Two people, a timeline of everybody, one of its first moment and one of a level of education, an hour later. */
const setUp = async () => {
  const table = new TurnTable();
  const indexed = indexedHarness(table);
  const level = { education_level: 'X' };
  await indexed.apply([
    accepted({ email: 'ann@example.org', ...level }),
    accepted({ email: 'ben@example.org', ...level }),
  ]);
  const known = await indexed.catalogue.findIds(property, [levelX]);
  const profiles = profileRepository({ table });
  const clock = { now: NOW };
  const harness = () => timelineHarness({ property, table, readProfiles: profiles.readEach, clock });
  const one = await harness().created('one', everyone);
  const two = await harness().created('two', one.moments[0]?.id ?? 0);
  const x = await harness().created('x', known.get(identityKey(levelX)) ?? 0);
  clock.now += HOUR;
  indexed.clock.now = clock.now;
  return {
    table,
    indexed,
    harness,
    clock,
    one: one.id,
    two: two.id,
    x: x.id,
    first: one.moments[0]?.id ?? 0,
  };
};

const membersOf = async (table: Table, target: SegmentExpression): Promise<readonly number[]> => {
  const found: number[] = [];
  for await (const ordinal of membersFrom(table, { property, expression: target })) found.push(ordinal);
  return found;
};

/** Faults once Ann (0) is forgotten: moments that hold her or lost Ben (1), and wrong counts. */
const wrongIn = async ({ table, harness, one, two, x }: Awaited<ReturnType<typeof setUp>>) => {
  const wrong: string[] = [];
  for (const id of [one, two, x]) {
    const { moments } = await harness().counted(id);
    for (const [index, { id: moment, count, added, removed }] of moments.entries()) {
      const members = await membersOf(table, moment);
      if (members.join() !== '1') wrong.push(`${moment} holds ${members.join()}`);
      if (count !== members.length) wrong.push(`${moment} counts ${count}`);
      const previous = moments[index - 1]?.id;
      if (previous === undefined) continue;
      const came = await countMembers(table, { property, expression: { all: [moment, { not: previous }] } });
      const left = await countMembers(table, { property, expression: { all: [previous, { not: moment }] } });
      if (added !== came || removed !== left) wrong.push(`${moment} tells ${added ?? 0} and ${removed ?? 0}`);
    }
  }
  return wrong;
};

/** A choice of turns in which one goes on for a while: some faults need a few long runs. Who has just run waits last. */
const inRuns = (seed: number): Choose => {
  const choose = seeded(seed);
  return (count) => (choose(8) > 0 ? count - 1 : choose(count));
};

/** A file moves Ann to another level; the drainer comes later. */
const moved = (indexed: ReturnType<typeof indexedHarness>) =>
  indexed.apply([accepted({ email: 'ann@example.org', education_level: 'Y' }, 2)], 'later');

/** Ann is forgotten while moments are made, and a timeline of a moment that holds her. */
const play = async (seed: number, sabotage: Sabotage = {}, deadly?: number) => {
  const at = await setUp();
  const { table, indexed, harness, one, two, x, first } = at;
  const broken = indexedHarness(sabotaged(table, sabotage));
  broken.clock.now = indexed.clock.now;
  const acts: (() => Promise<unknown>)[] = [
    () => broken.forget(0),
    () => harness().add(one),
    () => harness().add(two),
    () => harness().create('three', first),
    // A fault that a missing guard lets through takes a rare order: it is looked for among fewer actors.
    ...(Object.keys(sabotage).length > 0 ? [] : [() => harness().add(x), () => moved(indexed)]),
  ];
  const ends = await table.interleave(
    acts,
    seed % 2 === 0 || deadly !== undefined ? seeded(seed) : inRuns(seed),
    deadly,
  );
  return { at, ends };
};

describe('a person who is forgotten while moments are made', () => {
  it('is in none of them, whatever the order, and all counts are exact', async () => {
    for (let seed = 0; seed < SCHEDULES; seed += 1) {
      const { at, ends } = await play(seed);
      expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 'fulfilled'));
      expect(await wrongIn(at), `seed ${seed}`).toEqual([]);
    }
  });

  it('is in none of them after a sweep, when any of those was killed', async () => {
    for (let seed = 0; seed < SCHEDULES; seed += 1) {
      const { at } = await play(seed, {}, 40);
      await at.indexed.sweep();
      await at.indexed.forget(0);
      expect(await wrongIn(at), `seed ${seed}`).toEqual([]);
    }
  });

  it.each<[string, Sabotage]>([
    [
      'chunks that are still empty are written',
      { isLost: ({ kind, key }) => kind === 'insert' && isChunk(key.pk) },
    ],
    ['the list of moments is looked at until nothing is new', { looksOnce: true }],
    ['what was counted is marked', { isLost: (write) => write.kind === 'update' && 'touched' in write.set }],
  ])(
    'is only so because %s',
    async (_, sabotage) => {
      const broken = async (): Promise<boolean> => {
        // The rarest of these faults shows in one play of several hundred: the search begins near such a play.
        for (let seed = 1_301; seed < 4_000; seed += 2) {
          const { at } = await play(seed, sabotage);
          if ((await wrongIn(at)).length > 0) return true;
        }
        return false;
      };
      expect(await broken()).toBe(true);
    },
    60_000,
  );
});

const isChunk = (pk: string): boolean => /#M#\d+#\d+$/.test(pk);

describe('a person who is forgotten while the journal still has something of an import to index', () => {
  it('is in no segment, and in no later moment', async () => {
    const { table, indexed, harness, x, clock } = await setUp();
    const segment = (await indexed.catalogue.findIds(property, [levelX])).get(identityKey(levelX)) ?? 0;
    await moved(indexed);
    expect(await indexed.forget(0)).toMatchObject({ identities: 1 });
    expect(await membersOf(table, segment)).toEqual([1]);
    clock.now += HOUR;
    expect((await harness().add(x)).status).toBe(201);
    await indexed.sweep();
    const { moments } = await harness().counted(x);
    for (const { id } of moments) expect(await membersOf(table, id)).toEqual([1]);
  });
});

describe('two people who are forgotten while one chunk of a moment is copied', () => {
  it('are in none of it: the copier reads the copy before it reads the source', async () => {
    const table = new MemoryTable();
    const indexed = indexedHarness(table);
    const names = ['ann', 'ben', 'cid'];
    await indexed.apply(names.map((name, at) => accepted({ email: `${name}@example.org` }, at)));
    const profiles = profileRepository({ table });
    const source = keys.chunk(property, everyone, 0, 0).pk;
    let annIsForgotten = false;
    let benIsForgotten = false;
    const on = viewOf(table, {
      // Ann (0) is forgotten right before the first chunk is inserted: the chunk is there by then.
      writeMany: async (writes) => {
        if (!annIsForgotten && writes.some(({ key, kind }) => kind === 'insert' && isChunk(key.pk))) {
          annIsForgotten = true;
          await indexed.forget(0);
        }
        return table.writeMany(writes);
      },
      // Ben (1) is forgotten right after the source was read for the second time.
      query: async (pk, range) => {
        const page = await table.query(pk, range);
        if (annIsForgotten && !benIsForgotten && pk === source) {
          benIsForgotten = true;
          await indexed.forget(1);
        }
        return page;
      },
    });
    const { moments } = await timelineHarness({
      property,
      table: on,
      readProfiles: profiles.readEach,
      clock: { now: NOW },
    }).created('t', everyone);
    expect(await membersOf(table, moments[0]?.id ?? 0)).toEqual([2]);
    expect(benIsForgotten).toBe(true);
  });
});

describe('counts after somebody was forgotten', () => {
  it('are counted afresh, and stored once no removal can be under way', async () => {
    const at = await setUp();
    const { table, indexed, harness, clock, one } = at;
    await harness().add(one);
    await indexed.forget(0);
    const touched = async () =>
      (await allItems(table, keys.moments(property)))
        .map(parseMoment)
        .filter((facts) => facts.touched !== null);
    expect((await touched()).length).toBe(4);
    clock.now += limits.timelines.recountSeconds * 1000;
    expect(await wrongIn(at)).toEqual([]);
    expect((await touched()).length).toBe(4);
    clock.now += 1;
    expect(await wrongIn(at)).toEqual([]);
    expect(await touched()).toEqual([]);
    expect(await wrongIn(at)).toEqual([]);
  });
});
