import { describe, expect, it } from 'vitest';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { drainGroup } from '../../shared/membership/drain.ts';
import { countMembers } from '../../shared/membership/read-members.ts';
import { membersBefore, membersFrom } from '../../shared/membership/walk-members.ts';
import { identityKey } from '../../shared/catalogue/identity.ts';
import { journal } from '../../shared/membership/journal.ts';
import { membershipIndex } from '../../shared/membership/membership.ts';
import { keys, ORDINALS_PER_GROUP } from '../../shared/table/keys.ts';
import { onDynamoDb } from '../table/engines.ts';
import { cachedDerivations } from '../../shared/catalogue/derivation.ts';
import { withoutBrands } from '../support/brands.ts';
import { surfaced } from '../segments/profiles.ts';
import { readsOf } from '../support/profile-reads.ts';

const property = 4;
const tag = (name: string) => ({ type: 'tag', path: ['Tags'], name }) as const;
const ordinals = Array.from({ length: 300 }, (_, n) => (n % 2) * ORDINALS_PER_GROUP + n * 50);

describe.each([0, 0.1])('segments on DynamoDB, with %d of the calls failing', (faults) => {
  it('are catalogued, journaled, drained and walked', async () => {
    const engine = await onDynamoDb(faults);
    const { table } = engine;
    const clock = (): number => 1_000_000;
    const brands = cachedDerivations({ table, clock });
    const catalogue = segmentCatalogue({ table, clock, derivations: brands, pause: () => Promise.resolve() });
    const readProfiles = readsOf((one) => surfaced(one, { tags: ['a'] }));
    const pause = () => Promise.resolve();
    const membership = membershipIndex({ table, catalogue, readProfiles, derivations: brands, clock, pause });
    const log = journal({ table, clock });

    const ids = await catalogue.idsOf(property, ['a', 'b', 'A'].map(tag));
    const [segment = 0] = [ids.get(identityKey(tag('a')))];
    await table.increment(keys.counter(property, 'ordinal'), Math.max(...ordinals) + 1);
    const pairs = ordinals.map((ordinal) => ({ segment, ordinal }));
    const entry = await log.extend(await log.open(property, 'c', pairs.slice(0, 100)), pairs.slice(100));
    await log.close(entry);
    expect(await log.groups(property)).toHaveLength(2);
    const drainer = { journal: log, membership, finishForgetting: () => Promise.resolve() };
    for (const group of [0, 1]) await drainGroup(drainer, property, group);
    await log.retire(entry);

    expect(await log.groups()).toEqual([]);
    const members = { property, expression: segment };
    const sorted = ordinals.toSorted((a, b) => a - b);
    expect(await countMembers(table, members)).toBe(300);
    const walk = membersFrom(table, members, sorted[200]);
    const back = membersBefore(table, members, { before: sorted[200] ?? 0 });
    expect([(await walk.next()).value, (await back.next()).value]).toEqual([sorted[200], sorted[199]]);
    const found = await catalogue.find(property, 'A', { limit: 1 });
    const more = await catalogue.find(property, 'A', { limit: 1, after: found.next });
    expect([...found.items, ...more.items].map(({ name }) => name)).toEqual(['a', 'A']);
    expect((await catalogue.list(property, { limit: 2 })).items).toHaveLength(2);
    await engine.close();
  });
});

it('an update of the index costs one write unit, however full the chunk', async () => {
  const engine = await onDynamoDb();
  const { table, meter } = engine;
  // The longest ids: property, segment and group with the largest number of digits.
  const large = 999_999;
  const catalogue = segmentCatalogue({ table, ...withoutBrands });
  const tagged = new Set<number>();
  const readProfiles = readsOf((one) => surfaced(one, { tags: tagged.has(one) ? ['a'] : [] }));
  const deps = { table, catalogue, readProfiles, ...withoutBrands, pause: () => Promise.resolve() };
  const membership = membershipIndex(deps);
  const segment = (await catalogue.idsOf(large, [tag('a')])).get(identityKey(tag('a'))) ?? 0;
  const group = 999 * ORDINALS_PER_GROUP;
  const steps = [1, 2, 254, 255, 256, 257, 2_048, 4_096];
  meter.reset();
  for (const members of steps) {
    for (let offset = 0; offset < members; offset += 1) tagged.add(group + offset);
    await membership.reindex(
      { id: large },
      [...tagged].map((ordinal) => ({ segment, ordinal })),
    );
  }
  const chunks = meter.snapshot().filter(({ kind, writeUnits }) => kind === 'chunk' && writeUnits > 0);
  expect(chunks.reduce((sum, { calls }) => sum + calls, 0)).toBe(steps.length);
  for (const { calls, writeUnits, bytes } of chunks) {
    expect(writeUnits).toBe(calls);
    expect(bytes / calls).toBeLessThan(1_024);
  }
  await engine.close();
});
