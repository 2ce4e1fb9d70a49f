import type { BoundUseCase } from '../support/bound-use-case.ts';
import * as v from 'valibot';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import type { ApiAnswer } from '../../shared/http/api-types.ts';
import type { Problem } from '../../shared/http/problem.ts';
import { openUuid } from '../../shared/profiles/profile-uuid.ts';
import type { Result } from '../../shared/runtime/result.ts';
import { createSegment, replaceSegment } from '../../shared/segments/change-segments.ts';
import { getSegment } from '../../shared/segments/get-segment.ts';
import { listSegmentProfiles } from '../../shared/segments/list-segment-profiles.ts';
import { previewSegment } from '../../shared/segments/preview-segment.ts';
import { customSegmentAnswer, segmentProfilesQuery } from '../../shared/segments/schemas.ts';
import { previewAnswer, segmentProfilesAnswer } from '../../shared/segments/people-schemas.ts';
import type { SegmentExpression } from '../../shared/catalogue/types.ts';
import { ORDINALS_PER_GROUP } from '../../shared/table/keys.ts';
import { request } from '../references/harness.ts';
import { Fixture, property, scopeOf } from './fixture.ts';
import { answered } from '../support/requests.ts';

const GROUPS = 60;
const { countQueries, walkQueries } = limits.segments;
const fixture = new Fixture();
const deps = {
  ...fixture.deps,
  scopeOf,
  baseUrl: 'https://tidemark.test',
  pause: () => Promise.resolve(),
  takesConditions: true,
  clock: () => 0,
  marginMs: 0,
};

/** A person in each group, spread like more than ten million people. */
const people = Array.from({ length: GROUPS }, (_, group) => group * ORDINALS_PER_GROUP + group);
const rare = Array.from({ length: 92 }, (_, index) => `rare${index}`);

const make = (name: string, definition: SegmentExpression) =>
  createSegment(deps, request({ name, definition }));
const made = async (name: string, definition: SegmentExpression): Promise<number> =>
  (await answered(make(name, definition), customSegmentAnswer)).id;
const preview = (definition: SegmentExpression) => previewSegment(deps, request({ definition }));
const read = (segment: number) => getSegment(deps, request(undefined, { segment_id: String(segment) }));

const queries = (): number => fixture.operations.filter(({ name }) => name === 'query').length;

/** One of 93 segments: the segment of everybody, and 92 segments of the first person only. */
let wide: {
  readonly everybody: number;
  readonly first: number;
  readonly definition: SegmentExpression;
  readonly stored: number;
};
beforeAll(async () => {
  // One at a time: concurrent calls would contend for the quota of the property.
  const ids: number[] = [];
  for (const name of rare) ids.push(await fixture.tag(name));
  await fixture.put([[0, { tags: ['everybody', ...rare] }]], ['everybody', ...rare]);
  const everybody = await fixture.tag('everybody');
  const halves = [
    await made('one half', { any: ids.slice(0, 46) }),
    await made('other half', { any: ids.slice(46) }),
  ];
  const definition = { any: [...halves, everybody] };
  const stored = await made('wide', definition);
  await fixture.put(
    people.slice(1).map((ordinal) => [ordinal, { tags: ['everybody'] }]),
    ['everybody'],
  );
  wide = { everybody, first: ids[0] ?? 0, definition, stored };
});
beforeEach(() => {
  fixture.operations.length = 0;
});

describe('a definition that takes too many queries', () => {
  const refusals: readonly (readonly [string, () => Promise<Result<ApiAnswer, Problem>>])[] = [
    ['a preview', () => preview(wide.definition)],
    ['a new segment', () => make('too wide', wide.definition)],
    [
      'an edit',
      () =>
        replaceSegment(
          deps,
          request({ name: 'x', definition: wide.definition }, { segment_id: String(wide.stored) }),
        ),
    ],
  ];
  it.each(refusals)('is refused with its number of queries before any query is sent: %s', async (_, ask) => {
    const before = JSON.stringify(fixture.table.items());
    const answer = await ask();
    expect(answer).toMatchObject({
      ok: false,
      error: { status: 422, errors: [{ pointer: '/definition', code: 'too_expensive' }] },
    });
    expect(JSON.stringify(answer)).toContain('5,580');
    expect(queries()).toBe(0);
    expect(JSON.stringify(fixture.table.items())).toBe(before);
  });

  it('gets no count if the property has grown since the definition was stored', async () => {
    expect(await read(wide.stored)).toMatchObject({
      ok: false,
      error: { status: 422, code: 'too_expensive' },
    });
    expect(queries()).toBe(0);
  });

  it('is accepted if its members can be in a few groups only', async () => {
    const { count, sample } = await answered(preview({ all: [wide.first, wide.definition] }), previewAnswer);
    expect([count, sample.length]).toEqual([1, 1]);
    expect(queries()).toBeLessThan(countQueries);
  });
});

describe('a page of a combination that takes many queries', () => {
  /** The ordinals on each page of a walk, and its links. */
  const walk = async (segment: number, how: Record<string, string>, direction: 'next' | 'previous') => {
    const list: BoundUseCase<v.InferOutput<typeof segmentProfilesQuery>> = (
      asked: Parameters<typeof listSegmentProfiles>[1],
    ) => listSegmentProfiles(deps, asked);
    const { keys } = await scopeOf(property);
    const pages: (readonly number[])[] = [];
    let last: string | null = null;
    let query: Record<string, string> = how;
    for (;;) {
      fixture.operations.length = 0;
      const asked = request(undefined, { segment_id: String(segment) });
      const answer = list({ ...asked, query: v.parse(segmentProfilesQuery, query) });
      const { profiles, paging } = await answered(answer, segmentProfilesAnswer);
      expect(queries()).toBeLessThanOrEqual(3 * walkQueries);
      pages.push(profiles.map(({ profile_uuid }) => openUuid(keys.uuid, profile_uuid ?? '') ?? -1));
      const link = direction === 'next' ? paging.next_page : paging.previous_page;
      last = paging.previous_page ?? last;
      if (link === null) return { pages, last };
      query = Object.fromEntries(new URL(link).searchParams);
    }
  };

  it('ends early and links to the rest, so that a walk in either direction sees everybody once', async () => {
    const there = await walk(wide.stored, { limit: '50' }, 'next');
    expect(there.pages.length).toBeGreaterThan(2);
    expect(there.pages.flat()).toEqual(people);
    const back = await walk(
      wide.stored,
      Object.fromEntries(new URL(there.last ?? '').searchParams),
      'previous',
    );
    expect(back.pages.length).toBeGreaterThan(1);
    const shown = [...back.pages.toReversed().flat(), ...(there.pages.at(-1) ?? [])];
    expect(shown).toEqual(people);
  });

  it('may be empty when the walk finds no members', async () => {
    const { pages } = await walk(wide.everybody, { limit: '5', not: String(wide.stored) }, 'next');
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.flat()).toEqual([]);
  });
});
