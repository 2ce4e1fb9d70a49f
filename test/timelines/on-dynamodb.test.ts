import { expect, it } from 'vitest';
import { identityKey } from '../../shared/catalogue/identity.ts';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { membershipIndex } from '../../shared/membership/membership.ts';
import { surfaced } from '../segments/profiles.ts';
import { onDynamoDb } from '../table/engines.ts';
import { unloadedBrands, withoutBrands } from '../support/brands.ts';
import { behind, clearUpMoments, HOUR, START, timelineHarness } from './harness.ts';
import { readsOf } from '../support/profile-reads.ts';

const property = 4;
const people = [0, 1, 300, 5_000, 300_000];
const RACERS = 8;

it('timelines and moments come once and whole on a DynamoDB that throttles, fails and loses answers', async () => {
  const engine = await onDynamoDb(0.1);
  const { table } = engine;
  const clock = { now: START };
  const pause = async () => {
    await new Promise(setImmediate);
    clock.now += 20;
  };
  const profiles = new Map(people.map((one) => [one, surfaced(one, { tags: ['a'] })] as const));
  const readProfiles = readsOf((one) => profiles.get(one));
  const catalogue = segmentCatalogue({ table, ...withoutBrands });
  const tag = { type: 'tag', path: ['Tags'], name: 'a' } as const;
  const segment = (await catalogue.idsOf(property, [tag])).get(identityKey(tag)) ?? 0;
  const index = membershipIndex({
    table,
    derivations: unloadedBrands,
    catalogue,
    readProfiles,
    clock: () => clock.now,
    pause,
  });
  await index.reindex(
    { id: property },
    people.map((ordinal) => ({ segment, ordinal })),
  );

  const harness = () => timelineHarness({ property, table, readProfiles, clock, pause });
  const racers = <T>(act: () => Promise<T>) => Promise.all(Array.from({ length: RACERS }, act));
  const made = await racers(() => harness().create('T', segment));
  expect(made.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(RACERS - 1).fill(409)]);
  const [timeline] = (await harness().list()).timelines;
  const id = timeline?.id ?? 0;
  for (let round = 1; round <= 2; round += 1) {
    clock.now += HOUR;
    const told = await racers(() => harness().add(id));
    expect(told.map(({ status }) => status).toSorted()).toEqual([
      201,
      ...Array<number>(RACERS - 1).fill(429),
    ]);
    const { moments } = await harness().counted(id);
    expect(moments.map(({ count }) => count)).toEqual(Array<number>(round + 1).fill(people.length));
    for (const { links } of moments)
      expect(await behind(harness(), property, links.profiles)).toEqual(people);
  }
  clock.now += HOUR;
  await clearUpMoments({ table, clock: () => clock.now });
  expect(await clearUpMoments({ table, clock: () => clock.now })).toBe(0);
  expect((await harness().counted(id)).moments).toHaveLength(3);
  expect((await harness().remove(id)).status).toBe(200);
  await engine.close();
}, 60_000);
