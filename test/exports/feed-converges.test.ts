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
  meanwhile: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(event, { maxLength: 3 })),
});
const tells: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('tells'),
  dies,
  answers: fc.array(answer, { maxLength: 5 }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: event },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('asks') }) },
  { weight: 6, arbitrary: works },
  { weight: 7, arbitrary: tells },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('cancels', 'replays', 'backs up', 'restores') }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('waits'), hours: fc.constantFrom(1, 30, 90) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('replaces'), receiver: fc.nat(1) }) },
);

const feed = fc.record({
  first: fc.constantFrom('all', 'all', 'none'),
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
      fc.asyncProperty(feed, fc.array(step, { minLength: 10, maxLength: 60 }), async (kept, history) => {
        const world = feedWorld(kept);
        await world.begin();
        for (const one of history) await world.take(one);
        await world.end();
      }),
      { numRuns: HISTORIES },
    );
  },
);
