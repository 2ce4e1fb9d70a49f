import fc from 'fast-check';
import { it } from 'vitest';
import { casesOf } from '../support/scale.ts';
import { feedWorld, PEOPLE, type Answer, type Event, type Step } from './feed-world.ts';

const HISTORIES = casesOf('FEED_HISTORIES', { full: 3_000, sample: 120 });

const event: fc.Arbitrary<Event> = fc.record({
  kind: fc.constantFrom('joins', 'joins', 'leaves', 'changes', 'objects', 'agrees', 'forgotten'),
  who: fc.nat(PEOPLE - 1),
});
const dies = fc.oneof({ weight: 3, arbitrary: fc.constant(Number.POSITIVE_INFINITY) }, fc.nat(25));
const answer: fc.Arbitrary<Answer> = fc.constantFrom('take', 'take', 'take', 'lose', 'refuse', 'gone');
const works: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('works'),
  dies,
  meanwhile: fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, fc.array(event, { maxLength: 3 })),
});
const tells: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('tells'),
  dies,
  answers: fc.array(answer, { maxLength: 5 }),
  earlier: fc.nat(2),
});
const other: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('cancels', 'replays', 'backs up', 'restores', 'restores', 'rolls back'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('waits'), hours: fc.constantFrom(1, 30, 90) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('replaces'), receiver: fc.nat(1) }) },
  { weight: 1, arbitrary: tells },
);

/** A run with what happens before it and after it. */
const round: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.array(event, { maxLength: 4 }),
    fc.constantFrom<Step[]>([{ kind: 'asks' }]),
    works,
    fc.array(tells, { minLength: 1, maxLength: 2 }),
    fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(other, { maxLength: 2 })),
  )
  .map(([events, asks, worked, told, others]) => [...events, ...asks, worked, ...told, ...others]);

const feed = fc.record({
  first: fc.constantFrom('all', 'none'),
  kinds: fc.constantFrom<('added' | 'removed' | 'changed')[][]>(
    ['added', 'removed'],
    ['added', 'removed', 'changed'],
  ),
});

it(
  'a receiver knows exactly the members as of the last job told, whatever fails',
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(feed, fc.array(round, { minLength: 3, maxLength: 14 }), async (kept, rounds) => {
        const world = feedWorld(kept);
        await world.begin();
        for (const one of rounds.flat()) await world.take(one);
        await world.end();
      }),
      { numRuns: HISTORIES },
    );
  },
);
