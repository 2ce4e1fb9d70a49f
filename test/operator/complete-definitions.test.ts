import { describe, expect, it } from 'vitest';
import { everyoneId } from '../../shared/catalogue/identity.ts';
import { completeDefinitions } from '../../shared/operator/complete-definitions.ts';
import type { Table } from '../../shared/table/table.ts';
import { danglingIn } from '../references/consistency.ts';
import { property, referencesHarness, request, type ReferencesHarness } from '../references/harness.ts';
import { Cut, cutTable, withEachCut } from '../support/cut-transactions.ts';
import { MemoryTable } from '../support/memory-table.ts';

const everyone = everyoneId(property);

/** A custom segment, another one that names it, and a timeline of the first. */
const setUp = async () => {
  const table = new MemoryTable();
  const harness = referencesHarness(table);
  const { id: one = 0 } = await harness.makeSegment(everyone, 'one');
  const { id: two = 0 } = await harness.makeSegment({ not: one }, 'two');
  const { id: timeline = 0 } = await harness.makeTimeline(one, 'before');
  return { table, harness, one, two, timeline };
};

type Scene = Awaited<ReturnType<typeof setUp>>;
type Change = (harness: ReferencesHarness, scene: Scene) => Promise<unknown>;

const changes: Readonly<Record<string, Change>> = {
  'a new segment': (harness, { one }) => harness.makeSegment({ any: [one, everyone] }, 'three'),
  'an edit of a segment': (harness, { two, one }) =>
    harness.editSegment(two, { all: [one, everyone] }, 'new'),
  'a new collection': (harness, { one, two }) => harness.makeCollection([one, two]),
  'a new timeline': (harness, { one }) => harness.makeTimeline(one, 'another'),
  'another name of a timeline': (harness, { timeline }) => harness.renameTimeline(timeline, 'after'),
  'the deletion of a segment': (harness, { two }) => harness.deleteSegment(two),
};

/** What is shown of definitions: the names of custom segments as lists and ids have them, and those of timelines. */
const shownBy = async (harness: ReferencesHarness) => {
  const { items } = await harness.catalogue.list(property, { limit: 1_000 });
  const customs = items.filter(({ custom }) => custom);
  for (const segment of customs) {
    const found = await harness.catalogue.find(property, segment.name, { limit: 1_000 });
    expect(found.items).toContainEqual(segment);
  }
  return { segments: customs.map(({ name }) => name), timelines: await harness.timelineNames() };
};

describe.each(Object.entries(changes))('a restore that has cut the transaction of %s', (name, change) => {
  it('leaves definitions that are whole once they are completed', async () => {
    await withEachCut(async (made) => {
      const scene = await setUp();
      const cut = cutTable(scene.table, made);
      const on = (table: Table) => referencesHarness(table);
      await expect(change(on(cut.table), scene)).rejects.toThrow(Cut);
      const deps = { table: scene.table, pause: () => Promise.resolve(), clock: () => 0 };
      await completeDefinitions(deps, property, request(undefined).now);
      const harness = on(scene.table);
      expect(await danglingIn(harness)).toEqual([]);
      const { segments, timelines } = await shownBy(harness);
      // Nothing that was there before is gone, but what the change takes away.
      expect(segments).toContain('one');
      const keepsTwo = name !== 'the deletion of a segment';
      if (keepsTwo) expect(segments.filter((one) => one === 'two' || one === 'new')).not.toEqual([]);
      expect(new Set(timelines).size).toBe(timelines.length);
      // A segment that is in use cannot be deleted, and each name belongs to its timeline.
      expect((await harness.deleteSegment(scene.one)).code).toBe('in_use');
      for (const taken of timelines)
        expect((await harness.makeTimeline(everyone, taken)).code).toBe('duplicate_name');
      return cut;
    });
  });
});

it('a segment whose successor a client has deleted before the restore stays replaced', async () => {
  const { table, harness, two } = await setUp();
  const { id = 0 } = await harness.editSegment(two, everyone, 'new');
  await harness.deleteSegment(id);
  const deps = { table, pause: () => Promise.resolve(), clock: () => 0 };
  await completeDefinitions(deps, property, request(undefined).now + 3_600_000);
  const { items } = await harness.catalogue.list(property, { limit: 1_000 });
  expect(items.filter(({ custom }) => custom).map(({ name }) => name)).toEqual(['one']);
});
