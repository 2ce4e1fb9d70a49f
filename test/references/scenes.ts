import type { ReferencesHarness } from './harness.ts';

/** The ids at the start of a scene: two custom segments, a third custom segment that names neither of them, and a collection of the third. */
export interface Stage {
  readonly everyone: number;
  readonly one: number;
  readonly two: number;
  readonly free: number;
  readonly collection: number;
}

/** Concurrent requests; a process of its own runs each request. */
export type Scene = (world: () => ReferencesHarness, ids: Stage) => readonly (() => Promise<unknown>)[];

/** Scenes that delete items while other requests start to use them. */
export const scenes: Readonly<Record<string, Scene>> = {
  'a new segment names a segment that is deleted': (world, { one }) => [
    () => world().makeSegment({ not: one }),
    () => world().deleteSegment(one),
  ],
  'an edit names a segment that is deleted': (world, { one, free }) => [
    () => world().editSegment(free, { not: one }),
    () => world().deleteSegment(one),
  ],
  'a race to edit, name and delete one segment': (world, { one, two }) => [
    () => world().editSegment(one, { any: [one, two] }),
    () => world().makeSegment({ all: [one, two] }),
    () => world().deleteSegment(one),
    () => world().deleteSegment(two),
  ],
  'two edits and a deletion of one segment': (world, { one, two }) => [
    () => world().editSegment(one, { not: two }),
    () => world().editSegment(one, two),
    () => world().deleteSegment(one),
    () => world().deleteSegment(two),
  ],
  'a race of two deletions of one segment with a new user': (world, { one }) => [
    () => world().deleteSegment(one),
    () => world().deleteSegment(one),
    () => world().makeCollection([one]),
  ],
  'an edit adds a segment that is deleted to a collection': (world, { everyone, one, two, collection }) => [
    () => world().editCollection(collection, [everyone, one]),
    () => world().editCollection(collection, [two]),
    () => world().deleteSegment(one),
    () => world().deleteSegment(two),
  ],
  'an export names a segment and a collection that are deleted': (world, { one, collection }) => [
    () => world().makeExport({ segment: [one], collection: [collection] }),
    () => world().deleteSegment(one),
    () => world().deleteCollection(collection),
  ],
  'two timelines start to track segments that are deleted': (world, { one, two }) => [
    () => world().makeTimeline(one, 'tracks'),
    () => world().makeTimeline(two, 'Tracks'),
    () => world().deleteSegment(one),
    () => world().deleteSegment(two),
  ],
  'an export names a collection that is edited and deleted': (world, { one, collection }) => [
    () => world().editCollection(collection, [one]),
    () => world().makeExport({ collection: [collection] }),
    () => world().deleteCollection(collection),
    () => world().deleteSegment(one),
  ],
};
