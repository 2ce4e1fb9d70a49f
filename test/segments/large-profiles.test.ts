import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { contributionOf } from '../../shared/profiles/contribution.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { encodeState, profileItem } from '../../shared/profiles/stored-profile.ts';
import { previewSegment } from '../../shared/segments/preview-segment.ts';
import { keys } from '../../shared/table/keys.ts';
import { accepted } from '../profiles/harness.ts';
import { Fixture, everyone, property, scopeOf } from './fixture.ts';
import { reading } from './reading.ts';
import { requestOf } from '../support/requests.ts';

const { pageProfiles } = limits.work;
const PEOPLE = 400;

/** The stored form of a profile as large as a profile may be, which an answer shows a small part of. */
const largest = (() => {
  const values = Array.from({ length: 180 }, (_, index) => [`key ${index}`, 'x'.repeat(2_000)]);
  const record = accepted({ unique_id: 'u', first_name: 'Ann', extra_data: Object.fromEntries(values) });
  return encodeState(contributionOf(record, record.patch.identities, record.stamp));
})();

/** A property of so many of them, at every `step`-th ordinal. */
const propertyOf = async (step: number) => {
  const fixture = new Fixture();
  const ordinals = Array.from({ length: PEOPLE }, (_, index) => index * step);
  await fixture.put(
    ordinals.map((ordinal) => [ordinal, {}] as const),
    [],
  );
  for (const ordinal of ordinals)
    await fixture.table.put(keys.profile(property, ordinal), profileItem(largest, 1));
  fixture.operations.length = 0;
  let resolved = 0;
  const { readEach } = profileRepository({ table: fixture.table });
  const deps = {
    ...fixture.deps,
    scopeOf,
    baseUrl: '',
    async *readProfiles(...asked: Parameters<typeof readEach>) {
      for await (const profile of readEach(...asked)) {
        resolved += 1;
        yield profile;
      }
    },
  };
  return {
    ordinals,
    deps,
    /** The number of profiles that were resolved since the last call. */
    resolved: () => {
      const count = resolved;
      resolved = 0;
      return count;
    },
  };
};

describe.each([1, 16])('a page of the largest profiles, at every ordinal divisible by %i', (step) => {
  it('ends before it costs too much, and a walk in either direction sees everybody once', async () => {
    const { ordinals, deps, resolved } = await propertyOf(step);
    const most = Math.floor(pageProfiles / largest.length);
    const read = reading(deps, await scopeOf(property));
    for (const direction of ['next_page', 'previous_page'] as const) {
      let pages = 0;
      const between = async (page: readonly number[]): Promise<void> => {
        expect(page.length).toBeLessThanOrEqual(most);
        expect(resolved()).toBe(page.length);
        expect((pages += 1)).toBeLessThanOrEqual(PEOPLE / most + 3);
        await Promise.resolve();
      };
      const seen = await read.walk(everyone, { limit: PEOPLE, direction, end: PEOPLE * step, between });
      expect(direction === 'next_page' ? seen : seen.toReversed()).toEqual(ordinals);
    }
  });

  it('is no part of a preview, which shows ten of them', async () => {
    const { deps, resolved } = await propertyOf(step);
    const asked = requestOf({ property, query: {}, body: { definition: everyone } });
    const answer = await previewSegment(deps, asked);
    expect(answer).toMatchObject({ ok: true, value: { body: { count: PEOPLE } } });
    expect(resolved()).toBe(limits.segments.previewProfiles);
  });
});
