import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { bytesInAnswer } from '../../shared/http/fitting.ts';
import { includes, pageIncludes } from '../../shared/profiles/include-schema.ts';
import { listSegmentProfiles } from '../../shared/segments/list-segment-profiles.ts';
import { segmentProfilesAnswer } from '../../shared/segments/people-schemas.ts';
import { segmentProfilesQuery } from '../../shared/segments/schemas.ts';
import { returnedFields } from '../../shared/profiles/fields.ts';
import { Fixture, everyone, property, scopeOf } from './fixture.ts';
import type { ProfileSketch } from './profiles.ts';
import { answered, requestOf } from '../support/requests.ts';

type Deps = Parameters<typeof listSegmentProfiles>[0];

const depsOf = (fixture: Fixture): Deps => ({ ...fixture.deps, scopeOf, baseUrl: 'https://tidemark.test' });

const pageOf = (deps: Deps, query: Readonly<Record<string, string>>) =>
  answered(
    listSegmentProfiles(
      deps,
      requestOf({
        ...{ property, path: { segment_id: String(everyone) }, body: undefined, now: Date.UTC(2026, 2, 1) },
        query: v.parse(segmentProfilesQuery, query),
      }),
    ),
    segmentProfilesAnswer,
  );

const queryOf = (link: string | null): Readonly<Record<string, string>> | undefined =>
  link === null ? undefined : Object.fromEntries(new URL(link).searchParams);

const ann: ProfileSketch = {
  fields: { birthday: '1980-02-29' },
  age: 30,
  country: 'DE',
  tags: ['jazz'],
  sources: ['shop'],
  likes: ['4711'],
  consent: [{ channel: 'email', state: 'given', datetime: '2026-01-02 03:04:05', source: null }],
  extra: { spend: 12.5 },
};

/** What a page shows of Ann besides the 23 fields. */
const shownOfAnn = {
  age: 30,
  current_age: 46,
  country: 'DE',
  tags: [{ tag: 'jazz', datetime: '2026-01-02 03:04:05' }],
  social_likes: [{ id: '4711' }],
  sources: ['shop'],
  extra_data: { spend: 12.5 },
  consent: [{ channel: 'email', state: 'given', datetime: '2026-01-02T03:04:05.000Z', source: null }],
} as const;

const filled = async (people: readonly ProfileSketch[]): Promise<Fixture> => {
  const fixture = new Fixture();
  await fixture.put(
    people.map((sketch, ordinal) => [ordinal, sketch] as const),
    ['jazz'],
  );
  return fixture;
};

describe('include of a page of people', () => {
  it('adds what it names, and nothing else', async () => {
    const deps = depsOf(await filled([ann, {}]));
    const plain = await pageOf(deps, {});
    expect(plain.profiles.map((one) => Object.keys(one).sort())).toEqual([
      returnedFields.toSorted(),
      returnedFields.toSorted(),
    ]);
    for (const name of pageIncludes) {
      const { profiles } = await pageOf(deps, { include: name });
      expect(profiles[0]).toEqual({ ...plain.profiles[0], [name]: shownOfAnn[name] });
    }
    const { profiles } = await pageOf(deps, { include: pageIncludes.join(',') });
    expect(profiles).toEqual([
      { ...plain.profiles[0], ...shownOfAnn },
      {
        ...plain.profiles[1],
        ...{
          age: null,
          current_age: null,
          country: null,
          tags: [],
          social_likes: [],
          sources: [],
          extra_data: {},
          consent: [],
        },
      },
    ]);
  });

  it('costs no read', async () => {
    const fixture = await filled([ann, {}, ann]);
    const reads = async (query: Readonly<Record<string, string>>) => {
      fixture.operations.length = 0;
      await pageOf(depsOf(fixture), query);
      return fixture.operations.map(({ name, keys }) => [name, keys.length]);
    };
    await reads({});
    expect(await reads({ include: pageIncludes.join(',') })).toEqual(await reads({}));
  });

  it('stays on the links in both directions, beside "not"', async () => {
    const fixture = await filled(Array.from({ length: 9 }, () => ({ country: 'DE' })));
    const not = await fixture.moment('nobody', [7]);
    const deps = depsOf(fixture);
    const first = await pageOf(deps, { include: 'country,tags', limit: '4', not: `${not}` });
    const second = await pageOf(deps, queryOf(first.paging.next_page) ?? {});
    const again = await pageOf(deps, queryOf(second.paging.previous_page) ?? {});
    expect(queryOf(second.paging.previous_page)).toMatchObject({ include: 'country,tags', not: `${not}` });
    expect(second.profiles).toHaveLength(4);
    expect(second.profiles.every(({ country, tags }) => country === 'DE' && tags?.length === 0)).toBe(true);
    expect(again.profiles).toEqual(first.profiles);
  });

  it.each(['segments', 'age,segments', 'email', '', 'tags,', 'Tags', ' tags'])('refuses "%s"', (include) => {
    const { success, issues = [] } = v.safeParse(segmentProfilesQuery, { include });
    expect(success).toBe(false);
    expect(issues.map(({ message }) => message).join()).toContain('age, country, tags, social_likes');
    expect(issues.map(({ message }) => message).join()).not.toContain('segments');
  });

  it('leaves out of a lookup only the segments', () => {
    expect([...pageIncludes, 'segments']).toEqual(includes);
  });
});

describe('a page of people with much to include', () => {
  const many: ProfileSketch = {
    tags: Array.from({ length: 500 }, (_, n) => `"tag" ${n} ${'\u00e9'.repeat(90)}`),
    extra: Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [`key \\ ${n} ${'k'.repeat(200)}`, '"'.repeat(500)]),
    ),
  };
  const PEOPLE = 60;

  it('stays below the bytes of an answer, and a walk in either direction loses nobody', async () => {
    const fixture = await filled(Array.from({ length: PEOPLE }, (_, n) => (n % 7 === 0 ? {} : many)));
    let resolved = 0;
    const deps: Deps = {
      ...depsOf(fixture),
      async *readProfiles(...asked) {
        for await (const profile of fixture.readProfiles(...asked)) {
          resolved += 1;
          yield profile;
        }
      },
    };
    const include = 'tags,extra_data';
    const walk = async (
      direction: 'next_page' | 'previous_page',
      start: Readonly<Record<string, string>>,
    ) => {
      const seen: (string | null)[][] = [];
      let query: Readonly<Record<string, string>> | undefined = { include, ...start };
      while (query !== undefined) {
        resolved = 0;
        const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(deps, query);
        expect(bytesInAnswer(page)).toBeLessThan(limits.http.pageBytes + 5_000);
        // One who does not fit ends the reading: a function has no room for the values of a whole step.
        expect(resolved).toBeLessThanOrEqual(page.profiles.length + 1);
        seen.push(page.profiles.map(({ profile_uuid }) => profile_uuid));
        query = queryOf(page.paging[direction]);
      }
      return seen;
    };
    const { profiles } = await pageOf(depsOf(fixture), {});
    const all = profiles.map(({ profile_uuid }) => profile_uuid);
    const there = await walk('next_page', {});
    expect(there.flat()).toEqual(all);
    expect(there.length).toBeGreaterThan(3);
    const last = all.at(-1) ?? '';
    const back = await walk('previous_page', { page: last, before: last });
    expect(back.toReversed().flat()).toEqual(all.slice(0, -1));
  });
});
