import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { findSegments } from '../../shared/segments/find-segments.ts';
import { findSegmentsQuery, segmentsAnswer } from '../../shared/segments/schemas.ts';
import { Fixture, property, scopeOf } from './fixture.ts';
import { requestOf } from '../support/requests.ts';

const fixture = new Fixture();
const baseUrl = 'https://tidemark.test';
const useCase = (asked: Parameters<typeof findSegments>[1]) =>
  findSegments({ ...fixture.deps, scopeOf, baseUrl }, asked);

const ask = (query: Record<string, string>, of = property) =>
  useCase(requestOf({ property: of, query: v.parse(findSegmentsQuery, query), body: undefined }));

/** Names on a page, and the parameters of the link to the next page. */
const page = async (query: Record<string, string>) => {
  const answer = await ask(query);
  if (!answer.ok) throw new Error(answer.error.code);
  const link = answer.value.headers?.['link'];
  const url = link === undefined ? undefined : /^<(https:.*)>; rel="next"$/.exec(link)?.[1];
  return {
    names: v.parse(segmentsAnswer, answer.value.body).map(({ name }) => name),
    next: url === undefined ? undefined : Object.fromEntries(new URL(url).searchParams),
  };
};

beforeAll(async () => {
  for (const name of ['Nike', 'NIKE', 'nike air', 'b & c', 'd']) await fixture.tag(name);
});

describe('the lookup of segments', () => {
  it('returns id, name and type of the segments with the name', async () => {
    const answer = await ask({ name: 'B & C' });
    expect(answer).toMatchObject({ ok: true, value: { status: 200 } });
    expect(answer.ok && answer.value.body).toEqual([
      { id: await fixture.tag('b & c'), name: 'b & c', type: 'tag' },
    ]);
  });

  it('matches the whole name only, ignoring case', async () => {
    expect((await page({ name: 'nike' })).names).toEqual(['Nike', 'NIKE']);
    expect((await page({ name: 'nik' })).names).toEqual([]);
  });

  it.each<[Record<string, string>]>([[{}], [{ name: ' ' }]])('lists all for %j', async (query) => {
    expect((await page(query)).names).toEqual(['everyone', 'Nike', 'NIKE', 'nike air', 'b & c', 'd']);
  });

  it('continues at the link to the next page', async () => {
    const names: string[] = [];
    let query: Record<string, string> | undefined = { limit: '4' };
    while (query) {
      const { names: some, next } = await page(query);
      names.push(...some);
      expect(next?.['limit'] ?? '4').toBe('4');
      query = next;
    }
    expect(names).toEqual(['everyone', 'Nike', 'NIKE', 'nike air', 'b & c', 'd']);
    const { names: first, next } = await page({ name: 'nike', limit: '1' });
    expect([first, (await page(next ?? {})).names]).toEqual([['Nike'], ['NIKE']]);
  });

  it('lists the segments of a type, newest first on request, in pages of any size', async () => {
    const newest = ['d', 'b & c', 'nike air', 'NIKE', 'Nike'];
    expect((await page({ type: 'tag', order: 'newest' })).names).toEqual(newest);
    expect((await page({ type: 'everyone' })).names).toEqual(['everyone']);
    expect((await page({ type: 'brand' })).names).toEqual([]);
    expect((await page({ type: 'tag', name: 'nike', order: 'newest' })).names).toEqual(['NIKE', 'Nike']);
    for (const limit of ['1', '2', '5', '6', '7']) {
      const names: string[] = [];
      let query: Record<string, string> | undefined = { limit, order: 'newest' };
      while (query) {
        const { names: some, next } = await page(query);
        names.push(...some);
        query = next;
      }
      expect(names).toEqual([...newest, 'everyone']);
    }
    expect((await page({ name: 'everyone', order: 'newest', limit: '1' })).names).toEqual(['everyone']);
  });

  it('refuses an unknown type or order', () => {
    for (const query of [{ type: 'shop' }, { order: 'name' }])
      expect(v.safeParse(findSegmentsQuery, query).success).toBe(false);
  });

  it('refuses a cursor that is forged, or of another list or property', async () => {
    const { next } = await page({ limit: '2' });
    const cursor = next?.['cursor'] ?? '';
    for (const answer of [
      await ask({ cursor: 'AAAA' }),
      await ask({ cursor: `${cursor}A` }),
      await ask({ cursor, name: 'nike' }),
      await ask({ cursor }, property + 1),
    ])
      expect(answer).toMatchObject({ ok: false, error: { status: 400 } });
  });

  it('keeps a page of long names below the size of an answer', async () => {
    const crowded = new Fixture();
    const long = '\u6d77'.repeat(3_000);
    const identities = Array.from({ length: 700 }, (_, n) => ({
      type: 'location' as const,
      path: ['Location'],
      name: `${n} ${long}`,
    }));
    await crowded.catalogue.idsOf(property, identities);
    const listed = (asked: Parameters<typeof findSegments>[1]) =>
      findSegments({ ...crowded.deps, scopeOf, baseUrl }, asked);
    const answer = await listed(requestOf({ property, query: {}, body: undefined }));
    if (!answer.ok) throw new Error(answer.error.code);
    expect(Buffer.byteLength(JSON.stringify(answer.value.body))).toBeLessThan(limits.http.pageBytes);
    expect(answer.value.headers?.['link']).toContain('cursor=');
  });
});
