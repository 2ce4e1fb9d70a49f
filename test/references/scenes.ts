import type { ReferencesHarness } from './harness.ts';

/** Ids that a scene begins with: two custom segments, one that names neither, and a collection of that. */
export interface Stage {
  readonly everyone: number;
  readonly one: number;
  readonly two: number;
  readonly free: number;
  readonly collection: number;
}

/** Requests that run together; each is played by a process of its own. */
export type Scene = (world: () => ReferencesHarness, ids: Stage) => readonly (() => Promise<unknown>)[];

/** Scenes in which something is deleted while others come to use it. */
export const scenes: Readonly<Record<string, Scene>> = {
  'a segment is named by a new one': (world, { one }) => [
    () => world().makeSegment({ not: one }),
    () => world().deleteSegment(one),
  ],
  'a segment is named by an edit': (world, { one, free }) => [
    () => world().editSegment(free, { not: one }),
    () => world().deleteSegment(one),
  ],
  'a segment is edited, named and deleted': (world, { one, two }) => [
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
  'two deletions of one segment, and a user': (world, { one }) => [
    () => world().deleteSegment(one),
    () => world().deleteSegment(one),
    () => world().makeCollection([one]),
  ],
  'a collection comes to hold a segment': (world, { everyone, one, two, collection }) => [
    () => world().editCollection(collection, [everyone, one]),
    () => world().editCollection(collection, [two]),
    () => world().deleteSegment(one),
    () => world().deleteSegment(two),
  ],
  'an export comes to name both kinds': (world, { one, collection }) => [
    () => world().makeExport({ segment: [one], collection: [collection] }),
    () => world().deleteSegment(one),
    () => world().deleteCollection(collection),
  ],
  'a timeline comes to track a segment, and goes': (world, { one, two }) => [
    () => world().makeTimeline(one, 'tracks'),
    () => world().makeTimeline(two, 'Tracks'),
    () => world().deleteSegment(one),
    () => world().deleteSegment(two),
  ],
  'a collection is edited and deleted while it is exported': (world, { one, collection }) => [
    () => world().editCollection(collection, [one]),
    () => world().makeExport({ collection: [collection] }),
    () => world().deleteCollection(collection),
    () => world().deleteSegment(one),
  ],
};
