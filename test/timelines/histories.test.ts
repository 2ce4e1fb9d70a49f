import { expect, it } from 'vitest';
import { property } from '../segments/fixture.ts';
import { History, less } from './model.ts';
import { behind, between, figuresIn } from './harness.ts';
import { casesOf } from '../support/scale.ts';

/** Histories played; more by `HISTORIES=…`. */
const HISTORIES = casesOf('HISTORIES', { full: 500, sample: 100 });
const STEPS = 8;

const none: ReadonlySet<number> = new Set();

/** Every link, count, figure and change of a history equals the model. */
const expectAlike = async (history: History): Promise<void> => {
  const { harness } = history;
  for (const { id, moments } of history.timelines) {
    const { moments: shown } = await harness.counted(id);
    expect(shown.map((one) => one.id)).toEqual(moments.map((one) => one.id));
    const expected = moments.map(({ id: moment, members }, index) => {
      const previous = moments[index - 1]?.members;
      return {
        id: moment,
        profiles: less(members, none),
        added: previous ? less(members, previous) : [],
        removed: previous ? less(previous, members) : [],
        isFirst: previous === undefined,
      };
    });
    for (const [index, { profiles, added, removed }] of expected.entries()) {
      const { links } = shown[index] ?? {};
      const limit = 1 + history.choose(4);
      expect(await behind(harness, property, links?.profiles ?? null, limit)).toEqual(profiles);
      expect(await behind(harness, property, links?.profiles_added ?? null, limit)).toEqual(added);
      expect(await behind(harness, property, links?.profiles_removed ?? null, limit)).toEqual(removed);
    }
    const figures = expected.map((one) => ({
      id: one.id,
      count: one.profiles.length,
      added: one.isFirst ? null : one.added.length,
      removed: one.isFirst ? null : one.removed.length,
    }));
    const counted = shown.map(({ id: moment, count, added, removed }) => ({
      id: moment,
      count,
      added,
      removed,
    }));
    expect(counted).toEqual(figures);
    expect(figuresIn(await harness.chart(id))).toEqual(figures);
    const [from, to] = [moments[history.choose(moments.length)], moments[history.choose(moments.length)]];
    const ends = [from, to].map((moment) => figures.findIndex(({ id: moved }) => moved === moment?.id));
    const part = { from: from?.id, to: to?.id, limit: 1 + history.choose(3) };
    const partly = figures.slice(Math.min(...ends), Math.max(...ends) + 1).slice(-part.limit);
    expect(figuresIn(String((await harness.drawn(id, part)).body))).toEqual(partly);
    const changes = await between(harness, property, id, {
      from: from?.id ?? 0,
      to: to?.id ?? 0,
      limit: 1 + history.choose(3),
    });
    const [then, now] = [from?.members ?? none, to?.members ?? none];
    expect(changes).toEqual({ added: less(now, then), removed: less(then, now) });
  }
};

it(`timelines show what the model says: pages, counts, charts and changes, over ${HISTORIES} histories`, async () => {
  for (let seed = 0; seed < HISTORIES; seed += 1) {
    const history = new History(seed);
    await history.play(STEPS);
    await expectAlike(history);
  }
}, 900_000);
