import type { ReferencesHarness } from './harness.ts';

/**
 * The ids at the start of a scene: two custom segments, a third custom segment that names neither of them, and a
 * collection of the third.
 */
export interface Stage {
  readonly everyone: number;
  readonly one: number;
  readonly two: number;
  readonly free: number;
  readonly collection: number;
}

/** Concurrent requests; a process of its own runs each request. */
export type Scene = (harness: () => ReferencesHarness, ids: Stage) => readonly (() => Promise<unknown>)[];

/** Scenes that delete items while other requests start to use them. */
export const scenes: Readonly<Record<string, Scene>> = {
  'a new segment names a segment that is deleted': (harness, { one }) => [
    () => harness().makeSegment({ not: one }),
    () => harness().deleteSegment(one),
  ],
  'an edit names a segment that is deleted': (harness, { one, free }) => [
    () => harness().editSegment(free, { not: one }),
    () => harness().deleteSegment(one),
  ],
  'a race to edit, name and delete one segment': (harness, { one, two }) => [
    () => harness().editSegment(one, { any: [one, two] }),
    () => harness().makeSegment({ all: [one, two] }),
    () => harness().deleteSegment(one),
    () => harness().deleteSegment(two),
  ],
  'two edits and a deletion of one segment': (harness, { one, two }) => [
    () => harness().editSegment(one, { not: two }),
    () => harness().editSegment(one, two),
    () => harness().deleteSegment(one),
    () => harness().deleteSegment(two),
  ],
  'a race of two deletions of one segment with a new user': (harness, { one }) => [
    () => harness().deleteSegment(one),
    () => harness().deleteSegment(one),
    () => harness().makeCollection([one]),
  ],
  'an edit adds a segment that is deleted to a collection': (harness, { everyone, one, two, collection }) => [
    () => harness().editCollection(collection, [everyone, one]),
    () => harness().editCollection(collection, [two]),
    () => harness().deleteSegment(one),
    () => harness().deleteSegment(two),
  ],
  'an export names a segment and a collection that are deleted': (harness, { one, collection }) => [
    () => harness().makeExport({ segment: [one], collection: [collection] }),
    () => harness().deleteSegment(one),
    () => harness().deleteCollection(collection),
  ],
  'two timelines start to track segments that are deleted': (harness, { one, two }) => [
    () => harness().makeTimeline(one, 'tracks'),
    () => harness().makeTimeline(two, 'Tracks'),
    () => harness().deleteSegment(one),
    () => harness().deleteSegment(two),
  ],
  'an export names a collection that is edited and deleted': (harness, { one, collection }) => [
    () => harness().editCollection(collection, [one]),
    () => harness().makeExport({ collection: [collection] }),
    () => harness().deleteCollection(collection),
    () => harness().deleteSegment(one),
  ],
};
