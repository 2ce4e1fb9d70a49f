import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { openUuid, sealOrdinal } from '../../shared/profiles/profile-uuid.ts';
import { listSegmentProfiles } from '../../shared/segments/list-segment-profiles.ts';
import { segmentProfilesQuery } from '../../shared/segments/schemas.ts';
import { segmentProfilesAnswer } from '../../shared/segments/people-schemas.ts';
import { ORDINALS_PER_GROUP } from '../../shared/table/keys.ts';
import { Fixture, everyone, property, scopeOf } from './fixture.ts';
import { seeded } from '../ingest/interleave.ts';
import { answered, requestOf } from '../support/requests.ts';

type Page = v.InferOutput<typeof segmentProfilesAnswer>;
const baseUrl = 'https://tidemark.test';

const ask = (fixture: Fixture, segment: number, query: Record<string, string>) =>
  listSegmentProfiles(
    { ...fixture.deps, scopeOf, baseUrl },
    requestOf({
      ...{ property, path: { segment_id: String(segment) }, body: undefined },
      query: v.parse(segmentProfilesQuery, query),
    }),
  );

const pageOf = (fixture: Fixture, segment: number, query: Record<string, string>): Promise<Page> =>
  answered(ask(fixture, segment, query), segmentProfilesAnswer);

/** Follows a link after a check that the link leads to this service and this segment. */
const follow = async (fixture: Fixture, segment: number, link: string): Promise<Page> => {
  const url = new URL(link);
  expect(url.origin + url.pathname).toBe(`${baseUrl}/v2/properties/${property}/segments/${segment}/profiles`);
  return pageOf(fixture, segment, Object.fromEntries(url.searchParams));
};

const ordinalsOf = async (page: Page): Promise<readonly number[]> => {
  const { keys } = await scopeOf(property);
  return page.profiles.map(({ profile_uuid }) => openUuid(keys.uuid, profile_uuid ?? '') ?? -1);
};

interface Walk {
  readonly segment: number;
  readonly limit: number;
  readonly direction: 'next_page' | 'previous_page';
  /** Hook between two pages; receives the ordinals of the page before. */
  readonly between: (seen: readonly number[]) => Promise<void>;
  readonly not?: number;
}

/** The ordinals of a walk to the end, a list for each page. */
const walk = async (fixture: Fixture, start: Page, how: Walk): Promise<readonly (readonly number[])[]> => {
  const seen = [await ordinalsOf(start)];
  let page = start;
  for (let link = page.paging[how.direction]; link !== null; link = page.paging[how.direction]) {
    await how.between(seen.at(-1) ?? []);
    page = await follow(fixture, how.segment, link);
    expect(new URL(link).searchParams.get('limit')).toBe(String(how.limit));
    expect(page.paging.count).toBe(page.profiles.length);
    expect(page.paging.count).toBeLessThanOrEqual(how.limit);
    seen.push(await ordinalsOf(page));
  }
  return seen;
};

const spread = (index: number): number => (index % 3) * ORDINALS_PER_GROUP + index * 5;

describe('the page of profiles of a segment', () => {
  it.each([
    [1, 150],
    [7, 1_500],
    [1000, 6_000],
  ])(
    'with limit %i shows every permanent member of %i exactly once to a walk in either direction',
    async (limit, people) => {
      const fixture = new Fixture();
      const choose = seeded(limit);
      const constant = (index: number): boolean => index % 4 !== 0;
      const all = Array.from({ length: people }, (_, index) => index);
      const tagged = (index: number) => [spread(index), { tags: ['a'] }] as const;
      await fixture.put(all.map(tagged), ['a']);
      const segment = await fixture.tag('a');
      const inOrder = all.toSorted((a, b) => spread(a) - spread(b));
      const between = async (seen: readonly number[]): Promise<void> => {
        // Around the border of the page, where a fault would show, and at random places.
        const border = inOrder.findIndex((index) => spread(index) >= (seen[0] ?? 0));
        const near = Array.from({ length: 6 }, () => inOrder[border + choose(60) - 40]);
        const far = Array.from({ length: 6 }, () => inOrder[choose(people)]);
        const touched = new Set(
          [...near, ...far].flatMap((index) => (index === undefined || constant(index) ? [] : [index])),
        );
        await fixture.put(
          [...touched].map((index) =>
            choose(2) === 0 ? tagged(index) : [spread(index), choose(2) === 0 ? {} : undefined],
          ),
          ['a'],
        );
      };
      const staying = all.filter(constant).map(spread);
      for (const direction of ['next_page', 'previous_page'] as const) {
        const { keys } = await scopeOf(property);
        const end = sealOrdinal(keys.uuid, spread(people) + 10 * ORDINALS_PER_GROUP);
        const first = direction === 'next_page' ? {} : { page: end };
        const start = await pageOf(fixture, segment, { limit: String(limit), ...first });
        const seen = (await walk(fixture, start, { segment, limit, direction, between })).flat();
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen).toEqual(expect.arrayContaining(staying));
      }
    },
  );

  it('omits the members of another segment, on every link', async () => {
    const fixture = new Fixture();
    const people = Array.from(
      { length: 50 },
      (_, n) => [n * 100, { tags: n % 4 === 0 ? ['a'] : [] }] as const,
    );
    await fixture.put(people, ['a']);
    const not = await fixture.tag('a');
    const start = await pageOf(fixture, everyone, { limit: '6', not: String(not) });
    const between = () => Promise.resolve();
    const pages = await walk(fixture, start, {
      segment: everyone,
      limit: 6,
      direction: 'next_page',
      between,
      not,
    });
    expect(pages.flat()).toEqual(people.filter((_, n) => n % 4 !== 0).map(([ordinal]) => ordinal));
    expect(start.paging.next_page).toContain(`not=${not}`);
  });

  it('links back to the page before', async () => {
    const fixture = new Fixture();
    await fixture.put(
      Array.from({ length: 10 }, (_, n) => [n, {}] as const),
      [],
    );
    const first = await pageOf(fixture, everyone, { limit: '4' });
    const second = await follow(fixture, everyone, first.paging.next_page ?? '');
    const again = await follow(fixture, everyone, second.paging.previous_page ?? '');
    expect(first.paging.previous_page).toBeNull();
    expect(await ordinalsOf(again)).toEqual([0, 1, 2, 3]);
    expect(again.paging.next_page_uuid).toBe(second.profiles[0]?.profile_uuid);
    expect(second.paging.previous_page_uuid).toBe(first.profiles[0]?.profile_uuid);
  });

  it('counts quotes as often as the answer of a function contains them', async () => {
    const fixture = new Fixture();
    const quotes = '"'.repeat(1024);
    const fields = { first_name: quotes, last_name: quotes, street: quotes, city: quotes };
    await fixture.put(
      Array.from({ length: 900 }, (_, n) => [n, { fields }] as const),
      [],
    );
    const page = await pageOf(fixture, everyone, {});
    // A quote is `\"` in the body, and `\\\"` in the answer that carries the body.
    const answer = JSON.stringify({ body: JSON.stringify(page) });
    expect(Buffer.byteLength(answer)).toBeLessThan(limits.http.pageBytes + 5_000);
    expect(page.paging.count).toBeGreaterThan(200);
  });

  it('ends at 4.5 MB, so that a walk in either direction loses nobody', async () => {
    const fixture = new Fixture();
    const long = '\u00e9'.repeat(1024);
    const fields = {
      first_name: long,
      last_name: long,
      full_name: long,
      street: long,
      street2: long,
      city: long,
    };
    await fixture.put(
      Array.from({ length: 900 }, (_, n) => [n, { fields }] as const),
      [],
    );
    const between = () => Promise.resolve();
    const start = await pageOf(fixture, everyone, {});
    expect(Buffer.byteLength(JSON.stringify(start))).toBeLessThan(limits.http.pageBytes + 5_000);
    expect(start.paging.count).toBeLessThan(500);
    const how = { segment: everyone, limit: 1000, between };
    const there = await walk(fixture, start, { ...how, direction: 'next_page' });
    expect(there.flat()).toEqual(Array.from({ length: 900 }, (_, n) => n));
    const { keys } = await scopeOf(property);
    const end = await pageOf(fixture, everyone, { page: sealOrdinal(keys.uuid, 2000) });
    const back = await walk(fixture, end, { ...how, direction: 'previous_page' });
    expect(back.toReversed().flat()).toEqual(there.flat());
  });

  it('can start at the first member at or after any profile', async () => {
    const fixture = new Fixture();
    await fixture.put(
      [
        [3, { tags: ['a'] }],
        [5, {}],
        [9, { tags: ['a'] }],
      ],
      ['a'],
    );
    const { keys } = await scopeOf(property);
    for (const [at, found] of [
      [0, 3],
      [3, 3],
      [5, 9],
      [9, 9],
    ] as const) {
      const page = await pageOf(fixture, await fixture.tag('a'), {
        page: sealOrdinal(keys.uuid, at),
        limit: '1',
      });
      expect(await ordinalsOf(page)).toEqual([found]);
    }
  });

  it('is empty and has no links for a segment without members', async () => {
    const fixture = new Fixture();
    const page = await pageOf(fixture, everyone, {});
    expect(page).toEqual({
      paging: {
        next_page: null,
        previous_page: null,
        next_page_uuid: null,
        previous_page_uuid: null,
        count: 0,
      },
      profiles: [],
    });
  });

  it('refuses profile ids that the property never issued', async () => {
    const fixture = new Fixture();
    const foreign = sealOrdinal((await scopeOf(property + 1)).keys.uuid, 1);
    for (const uuid of [foreign, 'x', '00000000-0000-8000-8000-000000000000'])
      for (const name of ['page', 'before']) {
        const answer = await ask(fixture, everyone, { [name]: uuid });
        expect(answer).toMatchObject({ ok: false, error: { status: 400 } });
      }
  });

  it('is a 404 for a segment of another property', async () => {
    const fixture = new Fixture();
    for (const id of [1, 8_000_000_001, 7_000_000_555]) {
      expect(await ask(fixture, id, {})).toMatchObject({ ok: false, error: { status: 404 } });
      const not = await ask(fixture, everyone, { not: String(id) });
      expect(not).toMatchObject({ ok: false, error: { status: 404 } });
    }
  });

  it.each(['0', '01', '1001', '+1', '1.0', '1e2', ' 1', '', '-1', '9999'])(
    'refuses a limit of "%s"',
    (limit) => {
      expect(v.safeParse(segmentProfilesQuery, { limit }).success).toBe(false);
    },
  );
});
