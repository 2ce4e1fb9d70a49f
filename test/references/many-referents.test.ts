import { describe, expect, it } from 'vitest';
import { everyoneId } from '../../shared/catalogue/identity.ts';
import { createCollection, deleteCollection } from '../../shared/collections/change-collections.ts';
import { deleteSegment } from '../../shared/segments/change-segments.ts';
import { dyingAnywhere } from '../support/death.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { property, referencesHarness, request } from './harness.ts';

const everyone = everyoneId(property);
/** The references of so many segments need several transactions. */
const MANY = 95;
const QUARTER_OF_AN_HOUR = 900_000;

/** A table with segments that a collection is to hold. Operations that follow call `tick` first. */
const setUp = async (tick: () => void = () => undefined) => {
  const table = new MemoryTable(tick);
  const harness = referencesHarness(table);
  const segments: number[] = [];
  for (let n = 0; n < MANY; n += 1)
    segments.push((await harness.makeSegment(everyone, `segment ${n}`)).id ?? 0);
  const { now } = request(undefined);
  /** Tries to delete the first segment, whose reference is stored ahead, after some time. */
  const remove = async (after: number) => {
    const path = { segment_id: String(segments[0]) };
    const answer = await deleteSegment(harness, { ...request(undefined, path), now: now + after });
    return answer.ok ? answer.value.status : answer.error.code;
  };
  const make = () => createCollection(harness, request({ name: 'many', segments }));
  return { harness, segments, remove, make };
};

describe('a collection of more segments than one transaction takes', () => {
  it('keeps all of them from being deleted, at once and later', async () => {
    const { harness, remove, make } = await setUp();
    const made = await make();
    expect(made).toMatchObject({ ok: true, value: { status: 201 } });
    expect(await remove(0)).toBe('in_use');
    expect(await remove(2 * QUARTER_OF_AN_HOUR)).toBe('in_use');
    const [collection] = (await harness.collections.list(property, { limit: 1 })).items;
    await deleteCollection(harness, request(undefined, { collection_id: String(collection?.id) }));
    expect(await remove(2 * QUARTER_OF_AN_HOUR)).toBe(200);
  });

  it('is made or not when its request dies; segments that it holds can be deleted a quarter of an hour later', async () => {
    await dyingAnywhere({
      begin: setUp,
      run: ({ make }) => make(),
      check: async ({ harness, remove }) => {
        const { items } = await harness.collections.list(property, { limit: 10 });
        const isMade = items.length === 1;
        const known = await harness.catalogue.getMany(
          property,
          items.flatMap(({ segments }) => segments),
        );
        expect(known.size).toBe(isMade ? MANY : 0);
        expect(await remove(QUARTER_OF_AN_HOUR + 1_000)).toBe(isMade ? 'in_use' : 200);
      },
    });
  });

  it('holds its segments while it is stored', async () => {
    const { harness, remove, make } = await setUp();
    const answers: unknown[] = [];
    const table = harness.table;
    const transact = table.transact.bind(table);
    let transactions = 0;
    table.transact = async (writes) => {
      const refused = await transact(writes);
      transactions += 1;
      if (transactions === 1) answers.push(await remove(0));
      return refused;
    };
    expect(await make()).toMatchObject({ ok: true });
    expect(answers).toEqual(['in_use']);
    expect(transactions).toBeGreaterThan(2);
  });
});
