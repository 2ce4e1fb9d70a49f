import { insertCollection } from '../../shared/collections/repository.ts';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { getCollection, listCollections } from '../../shared/collections/read-collections.ts';
import { collectionAnswer, collectionBody, collectionsAnswer } from '../../shared/collections/schemas.ts';
import type { NamedListQuery } from '../../shared/http/list-schemas.ts';
import { check } from '../../shared/http/schema-faults.ts';
import { everyoneId } from '../../shared/catalogue/identity.ts';
import { scopeOf } from '../segments/fixture.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { property, request, referencesHarness } from '../references/harness.ts';

const everyone = everyoneId(property);
const baseUrl = 'https://tidemark.test';
const harness = () => referencesHarness(new MemoryTable());

const list = async (of: ReturnType<typeof harness>, query: NamedListQuery) => {
  const asked = { ...request(undefined), query };
  const answer = await listCollections({ ...of, scopeOf, baseUrl }, asked);
  if (!answer.ok) throw new Error(answer.error.code);
  const { collections, paging } = v.parse(collectionsAnswer, answer.value.body);
  const cursor = new URL(paging.next_page ?? baseUrl).searchParams.get('cursor');
  return { ids: collections.map(({ id }) => id), ...(cursor === null ? {} : { cursor }) };
};

describe('a collection', () => {
  it('holds each segment once, in the order sent, and is replaced under the same id', async () => {
    const of = harness();
    const { id: custom = 0 } = await of.makeSegment(everyone);
    const { id = 0, status } = await of.makeCollection([custom, everyone, custom]);
    expect(status).toBe(201);
    const read = async () => {
      const answer = await getCollection(of, request(undefined, { collection_id: String(id) }));
      return v.parse(collectionAnswer, answer.ok ? answer.value.body : undefined);
    };
    const before = await read();
    expect(before).toMatchObject({ id, name: 'made', segments: [custom, everyone] });
    expect(await of.editCollection(id, [everyone])).toEqual({ status: 200, id });
    expect(await read()).toEqual({ ...before, name: 'edited', segments: [everyone] });
  });

  it('is 404 when it is unknown, foreign or deleted', async () => {
    const of = harness();
    const { id = 0 } = await of.makeCollection([everyone]);
    await of.deleteCollection(id);
    for (const one of [id, id + 1, 8_000_000_001, 5]) {
      const notFound = { status: 404, code: 'not_found' };
      expect(await of.editCollection(one, [everyone])).toEqual(notFound);
      expect(await of.deleteCollection(one)).toEqual(notFound);
      const read = await getCollection(of, request(undefined, { collection_id: String(one) }));
      expect(read).toMatchObject({ ok: false, error: { status: 404 } });
    }
    expect((await list(of, {})).ids).toEqual([]);
  });

  it('has a name and 1 to 1,000 ids of segments', () => {
    const faultsOf = (segments: unknown) => {
      const checked = check(collectionBody, { name: 'x', segments });
      return checked.ok ? [] : checked.faults.map(({ pointer, code }) => `${pointer} ${code}`);
    };
    const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
    expect(faultsOf(ids(1_000))).toEqual([]);
    expect(faultsOf(ids(1_001))).toEqual(['/segments too_long']);
    expect(faultsOf([])).toEqual(['/segments too_short']);
    expect(faultsOf([1, 'x'])).toEqual(['/segments/1 wrong_type']);
    expect(faultsOf(7)).toEqual(['/segments wrong_type']);
  });

  it('points at every unknown segment', async () => {
    expect(await harness().makeCollection([everyone, everyone + 5])).toEqual({
      status: 422,
      code: 'unknown_reference',
    });
  });
});

describe('the list of collections', () => {
  it('continues at its cursor', async () => {
    const of = harness();
    const made: number[] = [];
    for (let n = 0; n < 5; n += 1) made.push((await of.makeCollection([everyone])).id ?? 0);
    const first = await list(of, { limit: 2 });
    const second = await list(of, { limit: 2, cursor: first.cursor ?? '' });
    const third = await list(of, { limit: 2, cursor: second.cursor ?? '' });
    expect([first.ids, second.ids, third.ids]).toEqual([made.slice(0, 2), made.slice(2, 4), made.slice(4)]);
    expect(third.cursor).toBeUndefined();
    await expect(list(of, { cursor: 'forged' })).rejects.toThrow('bad_request');
  });

  it('shows the collections of a name, newest first on request, with a cursor that is bound to the selection', async () => {
    const of = harness();
    const made: number[] = [];
    for (let n = 0; n < 6; n += 1) made.push((await of.makeCollection([everyone])).id ?? 0);
    for (const n of [1, 3, 4]) await of.editCollection(made[n] ?? 0, [everyone]);
    const named = [made[4], made[3], made[1]];
    const selection = { name: 'EDIT', order: 'newest', limit: 2 } as const;
    const first = await list(of, selection);
    const rest = await list(of, { ...selection, cursor: first.cursor ?? '' });
    expect([...first.ids, ...rest.ids]).toEqual(named);
    expect([first.ids.length, rest.cursor]).toEqual([2, undefined]);
    expect((await list(of, { name: 'nobody' })).ids).toEqual([]);
    expect((await list(of, { name: ' ' })).ids).toEqual(made);
    for (const other of [{ name: 'made' }, { order: 'oldest' } as const, {}])
      await expect(list(of, { ...other, cursor: first.cursor ?? '' })).rejects.toThrow('bad_request');
  });

  it('ends a page before the answer becomes too large', async () => {
    const of = harness();
    const segments = Array.from({ length: limits.segments.perCollection }, (_, n) => 7_000_000_001 + n);
    const created_by = { id: 1, email: 'a@example.test', first_name: 'A', last_name: 'B' };
    const count = 450;
    for (let n = 0; n < count; n += 1) {
      const id = await of.collections.newId(property);
      await of.table.write(insertCollection(property, { id, name: 'x', segments, created: 0, created_by }));
    }
    const first = await list(of, { limit: 1_000 });
    expect(first.ids.length).toBeLessThan(count);
    const rest = await list(of, { limit: 1_000, cursor: first.cursor ?? '' });
    expect(first.ids.length + rest.ids.length).toBe(count);
    expect(rest.cursor).toBeUndefined();
  });
});
