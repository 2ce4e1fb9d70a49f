/**
 * Walks through a large segment page by page, in both directions, while members join and leave: `node bench/probes/walk.ts
 * [members] [limit…]`. Uses the real pages on a table in memory, and counts permanent members that the walk did not see
 * exactly once.
 */
import { count, table as printTable } from '../../cli/terminal.ts';
import { seeded } from '../../test/ingest/interleave.ts';
import { Fixture, property, scopeOf } from '../../test/segments/fixture.ts';
import { reading } from '../../test/segments/reading.ts';
import { ORDINALS_PER_GROUP } from '../../shared/table/keys.ts';

const members = Number(process.argv[2] ?? 100_000);
const limits = process.argv.slice(3).map(Number);

/** Pages between two changes of the segment. */
const CALM = 20;

/** People per change: some near the last page, some anywhere. */
const NEAR = 6;
const FAR = 6;

/** Ordinals are five apart, over three groups and more. */
const ordinalOf = (index: number): number => index * 5 + (index % 3) * ORDINALS_PER_GROUP;
const isConstant = (index: number): boolean => index % 4 !== 0;

const walkAll = async (limit: number): Promise<void> => {
  const fixture = new Fixture();
  const choose = seeded(limit);
  const all = Array.from({ length: members }, (_, index) => index);
  const tagged = (index: number) => [ordinalOf(index), { tags: ['a'] }] as const;
  await fixture.put(all.map(tagged), ['a']);
  const segment = await fixture.tag('a');
  const byOrdinal = all.toSorted((a, b) => ordinalOf(a) - ordinalOf(b));
  const places = new Map(byOrdinal.map((index, place) => [ordinalOf(index), place]));
  const profiles = { find: () => Promise.resolve(undefined) };
  const read = reading({ ...fixture.deps, profiles }, await scopeOf(property));
  for (const direction of ['next_page', 'previous_page'] as const) {
    let [pages, changes] = [0, 0];
    const between = async (page: readonly number[]): Promise<void> => {
      fixture.operations.length = 0;
      pages += 1;
      if (limit < CALM && pages % CALM > 0) return;
      const place = places.get(page[0] ?? 0) ?? 0;
      const near = Array.from({ length: NEAR }, () => byOrdinal[place + choose(60) - 40]);
      const far = Array.from({ length: FAR }, () => byOrdinal[choose(members)]);
      const touched = [...near, ...far].filter((index) => index !== undefined && !isConstant(index));
      const distinct = [...new Set(touched)].flatMap((index) => index ?? []);
      changes += distinct.length;
      await fixture.put(
        distinct.map((index) =>
          choose(2) === 0 ? tagged(index) : [ordinalOf(index), choose(2) === 0 ? {} : undefined],
        ),
        ['a'],
      );
    };
    const started = performance.now();
    const end = ordinalOf(members) + 10 * ORDINALS_PER_GROUP;
    const seen = await read.walk(segment, { limit, direction, end, between });
    const times = new Map<number, number>();
    for (const ordinal of seen) times.set(ordinal, (times.get(ordinal) ?? 0) + 1);
    const constant = all.filter(isConstant).map(ordinalOf);
    const missed = constant.filter((ordinal) => !times.has(ordinal)).length;
    const twice = [...times.values()].filter((one) => one > 1).length;
    if (missed + twice > 0) process.exitCode = 1;
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    printTable([
      [
        `limit ${limit}, ${direction === 'next_page' ? 'forward' : 'back'}`,
        `${count(pages)} pages, ${count(changes)} joined or left, ${count(constant.length)} stayed: ${missed} missed, ${twice} seen twice; ${seconds} s`,
      ],
    ]);
  }
};

for (const limit of limits.length > 0 ? limits : [1000, 7, 1]) await walkAll(limit);
