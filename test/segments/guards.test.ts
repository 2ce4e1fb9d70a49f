import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { createSegment } from '../../shared/segments/change-segments.ts';
import { isLive } from '../../shared/references/lifecycle.ts';
import { allItems } from '../../shared/table/all-items.ts';
import { keys, SEGMENT_SHARDS } from '../../shared/table/keys.ts';
import { property, referencesHarness } from '../references/harness.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { requestOf } from '../support/requests.ts';
import { dropping, overtaken, unconditional, whole, type LeftOut } from '../support/weakened.ts';
import { everyone } from './fixture.ts';

const definition = { not: everyone };

const setUp = async () => {
  const table = new MemoryTable();
  const harness = referencesHarness(table);
  const { id = 0 } = await harness.makeSegment(definition, 'first');
  return { table, harness, id };
};

/** The number of custom segments that are neither replaced nor deleted. */
const currentIn = async (table: MemoryTable): Promise<number> => {
  const shards = Array.from({ length: SEGMENT_SHARDS }, (_, shard) => keys.segmentShard(property, shard));
  const items = await Promise.all(shards.map((shard) => allItems(table, shard)));
  return items.flat().filter((item) => isLive(item) && typeof item['replaced_by'] !== 'number').length;
};

/** The number of custom segments that count in the quota. */
const countedIn = async (table: MemoryTable): Promise<number> => {
  const item = await table.get(keys.counter(property, 'custom-count'));
  return v.parse(v.object({ value: v.number() }), item).value;
};

/** Two edits of a segment at once. Returns whether it has two successors. */
const editedTwice = async (leftOut: LeftOut): Promise<boolean> => {
  const { table, harness, id } = await setUp();
  const edit = (name: string) => () => harness.editSegment(id, definition, name);
  await overtaken(table, leftOut, edit('one'), edit('other'));
  return (await currentIn(table)) > 1;
};

/** A segment that is deleted while it is edited. Returns whether it has a successor. */
const deletedMeanwhile = async (leftOut: LeftOut): Promise<boolean> => {
  const { table, harness, id } = await setUp();
  const edit = () => harness.editSegment(id, definition);
  await overtaken(table, leftOut, edit, () => harness.deleteSegment(id));
  return (await currentIn(table)) > 0;
};

/** Two segments that are created at once. Returns whether one of them does not count. */
const createdTogether = async (leftOut: LeftOut): Promise<boolean> => {
  const { table, harness } = await setUp();
  const create = (name: string) => () => harness.makeSegment(definition, name);
  await overtaken(table, leftOut, create('one'), create('other'));
  return (await countedIn(table)) < (await currentIn(table));
};

/** A segment that is deleted twice at once. Returns whether it is counted off twice. */
const deletedTwice = async (leftOut: LeftOut): Promise<boolean> => {
  const { table, harness, id } = await setUp();
  await harness.makeSegment(definition, 'other');
  const remove = () => harness.deleteSegment(id);
  await overtaken(table, leftOut, remove, remove);
  return (await countedIn(table)) < (await currentIn(table));
};

/** One request that is sent twice at once. Returns whether it makes two segments. */
const sentTwice = async (leftOut: LeftOut): Promise<boolean> => {
  const { table, harness } = await setUp();
  const body = { name: 'one', definition };
  const request = requestOf({ property, query: {}, body, requestKey: 'key', keyed: true });
  const create = () => createSegment(harness, request);
  await overtaken(table, leftOut, create, create);
  return (await currentIn(table)) > 2;
};

type Is = Parameters<typeof unconditional>[0];
const isSegment: Is = ({ key }) => key.pk.includes('#SEGMENTS#');
const isCount: Is = ({ key }) => key.sk.endsWith('-count');
const isRequest: Is = ({ key }) => key.pk.includes('#REQUEST#');

/** Neither the segment nor another item has to be as it was. */
const free: LeftOut = (write) => (isSegment(write) ? undefined : unconditional(() => true)(write));

describe('the transaction of a segment needs', () => {
  it.each<[string, (leftOut: LeftOut) => Promise<boolean>, LeftOut]>([
    ['the condition that no other edit came between', editedTwice, unconditional(isSegment)],
    ['the condition that nothing was counted meanwhile', createdTogether, unconditional(isCount)],
    ['the id of its request', sentTwice, dropping(isRequest)],
    // Several conditions refuse a transaction that a deletion has overtaken: each is enough.
    ['a condition that no deletion came between', deletedMeanwhile, dropping((one) => one.kind !== 'insert')],
    ['a condition that no other deletion came between', deletedTwice, free],
  ])('%s', async (_, isBroken, leftOut) => {
    expect(await isBroken(whole)).toBe(false);
    expect(await isBroken(leftOut)).toBe(true);
  });
});
