import { expect } from 'vitest';
import { isCurrent } from '../../shared/catalogue/identity.ts';
import { idsIn } from '../../shared/catalogue/definition.ts';
import type { Segment } from '../../shared/catalogue/types.ts';
import { allItems } from '../../shared/table/all-items.ts';
import { keys } from '../../shared/table/keys.ts';
import { parseTimeline, type Timeline } from '../../shared/timelines/timeline-items.ts';
import { isLive } from '../../shared/references/lifecycle.ts';
import { property, referencesHarness, type ReferencesHarness } from './harness.ts';

const allSegments = async ({ catalogue }: ReferencesHarness): Promise<readonly Segment[]> =>
  (await catalogue.list(property, { limit: 1_000 })).items;

const timelinesIn = async ({ table }: ReferencesHarness): Promise<readonly Timeline[]> =>
  (await allItems(table, keys.timeline(property, 0).pk)).filter(isLive).map(parseTimeline);

/** Ids of missing items that an existing item names. */
export const danglingIn = async (harness: ReferencesHarness): Promise<readonly number[]> => {
  const listed = await allSegments(harness);
  const named = listed.flatMap(({ custom }) => (custom ? idsIn(custom.definition).map(({ id }) => id) : []));
  const { items: collections } = await harness.collections.list(property, { limit: 1_000 });
  const held = collections.flatMap(({ segments }) => segments);
  const { items: exported } = await harness.exports.definitions(property, { limit: 1_000 });
  const jobs = await harness.exports.jobsOf(exported.map((one) => ({ ...one, job: one.latest_job ?? 0 })));
  const running = exported.filter((_, index) => jobs[index]?.status === 'pending');
  const timelines = await timelinesIn(harness);
  const tracked = timelines.map(({ reference_tile }) => reference_tile);
  const wanted = [...named, ...held, ...tracked, ...running.flatMap(({ segment }) => segment)];
  const known = await harness.catalogue.getMany(property, wanted);
  const knownCollections = await harness.collections.getMany(
    property,
    running.flatMap(({ collection }) => collection),
  );
  return [
    ...wanted.filter((id) => !known.has(id)),
    ...running.flatMap(({ collection }) => collection).filter((id) => !knownCollections.has(id)),
  ];
};

/** Lists, names and ids agree on the custom segments, and every replaced segment has a successor. */
export const expectAgreement = async (harness: ReferencesHarness, ids: readonly number[]): Promise<void> => {
  const listed = (await allSegments(harness)).filter(({ custom }) => custom);
  for (const segment of listed) {
    expect(await harness.catalogue.get(property, segment.id)).toEqual(segment);
    const found = await harness.catalogue.find(property, segment.name, { limit: 1_000 });
    expect(found.items).toContainEqual(segment);
  }
  for (const segment of (await harness.catalogue.getMany(property, ids)).values())
    expect(listed.some(({ id }) => id === segment.id)).toBe(isCurrent(segment) && segment.type === 'custom');
};

/** Deletes everything, users first: no leftover of a crashed request blocks a deletion. */
export const expectNothingStuck = async (harness: ReferencesHarness): Promise<void> => {
  const { items: exported } = await harness.exports.definitions(property, { limit: 1_000 });
  for (const one of exported) await harness.endExport(one.export);
  for (const { id } of await timelinesIn(harness))
    expect(await harness.deleteTimeline(id)).toEqual({ status: 200, id });
  const { items: collections } = await harness.collections.list(property, { limit: 1_000 });
  for (const { id } of collections) expect(await harness.deleteCollection(id)).toEqual({ status: 200, id });
  const customs = (await allSegments(harness)).filter(({ custom }) => custom);
  for (const { id } of customs.toSorted((a, b) => b.id - a.id))
    expect(await harness.deleteSegment(id)).toEqual({ status: 200, id });
  const fresh = referencesHarness(harness.table);
  expect((await allSegments(fresh)).filter(({ custom }) => custom)).toEqual([]);
};
