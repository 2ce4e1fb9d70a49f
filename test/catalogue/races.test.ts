import { describe, expect, it } from 'vitest';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { identityKey } from '../../shared/catalogue/identity.ts';
import { seeded, TurnTable } from '../ingest/interleave.ts';
import { onDynamoDb } from '../table/engines.ts';
import { withoutBrands } from '../support/brands.ts';

const property = 7;
const RACERS = 100;

/** Fewer than in memory: over the wire the racers wait much longer for each other. */
const RACERS_ON_DYNAMODB = 30;
const tag = { type: 'tag', path: ['Tags'], name: 'new' } as const;
const key = identityKey(tag);

describe('100 workers that meet a new tag at once', () => {
  it.each([1, 2, 3, 4, 5])('create one segment, in any order of their steps (seed %i)', async (seed) => {
    const table = new TurnTable();
    const racers = Array.from({ length: RACERS }, () => async () => {
      const ids = await segmentCatalogue({ table, ...withoutBrands }).idsOf(property, [tag]);
      return ids.get(key);
    });
    // One step in 40 kills its worker. The next worker that meets the remains completes them.
    const ends = await table.interleave(racers, seeded(seed), 40);
    const ids = new Set(ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : [])));
    expect(ids.size).toBe(1);
    const { items: segments } = await segmentCatalogue({ table, ...withoutBrands }).list(property, {
      limit: 1_000,
    });
    expect(segments.filter(({ name }) => name === tag.name)).toHaveLength(1);
    expect(
      (await segmentCatalogue({ table, ...withoutBrands }).find(property, tag.name, { limit: 10 })).items,
    ).toHaveLength(1);
    expect(table.items('segment')).toHaveLength(1);
  });

  it('create one segment on DynamoDB, although a tenth of the calls is throttled, fails or loses its answer', async () => {
    const engine = await onDynamoDb(0.1);
    const racers = Array.from({ length: RACERS_ON_DYNAMODB }, () =>
      segmentCatalogue({ ...engine, ...withoutBrands }).idsOf(property, [tag]),
    );
    const ids = (await Promise.all(racers)).map((found) => found.get(key));
    expect(new Set(ids).size).toBe(1);
    const { items: segments } = await segmentCatalogue({ ...engine, ...withoutBrands }).list(property, {
      limit: 1_000,
    });
    expect(segments.filter(({ name }) => name === tag.name).map(({ id }) => id)).toEqual([ids[0]]);
    await engine.close();
  });
});
