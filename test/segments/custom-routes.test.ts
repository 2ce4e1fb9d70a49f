import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { collectionAnswer } from '../../shared/collections/schemas.ts';
import {
  customSegmentAnswer,
  segmentAnswer,
  segmentsAnswer,
  treeAnswer,
} from '../../shared/segments/schemas.ts';
import { previewAnswer, segmentProfilesAnswer } from '../../shared/segments/people-schemas.ts';
import type { CallOptions, Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';

let service: Service;
let tags: Readonly<Record<'a' | 'b', number>>;
shared.beforeAll(async ({ service: own }) => {
  service = own;
  for (let n = 0; n < 14; n += 1) {
    const tag = [...(n % 2 === 0 ? ['a'] : []), ...(n % 3 === 0 ? ['b'] : [])];
    const record = { email: `p${n}@example.com`, ...(tag.length > 0 ? { tags: [{ datetime, tag }] } : {}) };
    expect((await send('POST', 'profiles', record)).status).toBe(201);
  }
  tags = { a: await idOf('a'), b: await idOf('b') };
});

const datetime = '2026-01-02 03:04:05';
const send = (method: string, path: string, body?: unknown, options: CallOptions = {}) =>
  service.call(method, `/v1/${service.property}/${path}`, {
    ...options,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const read = async <T>(schema: v.GenericSchema<unknown, T>, path: string): Promise<T> => {
  const { status, text } = await send('GET', path);
  expect(status).toBe(200);
  return v.parse(schema, JSON.parse(text));
};

const idOf = async (name: string): Promise<number> =>
  (await read(segmentsAnswer, `segments?name=${encodeURIComponent(name)}`))[0]?.id ?? 0;

const made = async (name: string, definition: unknown) => {
  const { status, text } = await send('POST', 'segments', { name, definition });
  expect(status).toBe(201);
  return v.parse(customSegmentAnswer, JSON.parse(text));
};

const emailsOf = async (segment: number, query = ''): Promise<readonly (string | null)[]> => {
  const path = `/v2/properties/${service.property}/segments/${segment}/profiles${query}`;
  const { text } = await service.call('GET', path);
  return v.parse(segmentProfilesAnswer, JSON.parse(text)).profiles.map(({ email }) => email ?? null);
};
const emails = (...numbers: readonly number[]) => numbers.map((n) => `p${n}@example.com`);

const problem = v.looseObject({
  code: v.string(),
  errors: v.optional(v.array(v.looseObject({ pointer: v.string(), code: v.string() }))),
});
const refused = async (method: string, path: string, body?: unknown, options: CallOptions = {}) => {
  const { status, text } = await send(method, path, body, options);
  const { code, errors } = v.parse(problem, JSON.parse(text));
  return [status, code, ...(errors ?? []).map((error) => `${error.pointer} ${error.code}`)];
};

describe('custom segments of the running service', () => {
  it('combine other segments, can be read back, and hold the right people at once', async () => {
    const definition = { all: [tags.a, { not: tags.b }] };
    const segment = await made('A, not B', definition);
    expect(segment).toMatchObject({ name: 'A, not B', type: 'custom', definition, replaced_by: null });
    expect(segment.created_by.email).toContain('@');
    const shown = await read(segmentAnswer, `segments/${segment.id}`);
    expect(shown).toMatchObject({ ...segment, count: 4 });
    expect(await emailsOf(segment.id)).toEqual(emails(2, 4, 8, 10));
    expect(await emailsOf(tags.a, `?not=${segment.id}`)).toEqual(emails(0, 6, 12));
    const nested = await made('Neither', { not: { any: [segment.id, tags.b] } });
    expect(await emailsOf(nested.id)).toEqual(emails(1, 5, 7, 11, 13));
    expect(await idOf('neither')).toBe(nested.id);
    const tree = await read(treeAnswer, 'profile_segments?email=p4@example.com');
    expect(tree['Custom']).toEqual({ count: 1, segments: ['A, not B'], subcategories: {} });
    expect((await read(treeAnswer, 'profile_segments?email=p0@example.com'))['Custom']).toBeUndefined();
    await send('POST', 'profiles', { email: 'p4@example.com', tags: [{ datetime, tag: ['b'] }] });
    expect(await emailsOf(segment.id)).toEqual(emails(2, 8, 10));
  });

  it('get a new id when they are edited, and can be deleted when nothing names them', async () => {
    const old = await made('Edited', tags.a);
    const user = await made('User', { not: old.id });
    const { status, text } = await send('PUT', `segments/${old.id}`, { name: 'Edited', definition: tags.b });
    expect(status).toBe(200);
    const { id } = v.parse(customSegmentAnswer, JSON.parse(text));
    expect(id).not.toBe(old.id);
    expect(await read(segmentAnswer, `segments/${old.id}`)).toMatchObject({ replaced_by: id });
    expect(await emailsOf(old.id)).toHaveLength(7);
    expect((await read(segmentsAnswer, 'segments?name=edited')).map((one) => one.id)).toEqual([id]);
    const conflict = [409, 'state_conflict'];
    expect(await refused('PUT', `segments/${old.id}`, { name: 'x', definition: tags.b })).toEqual(conflict);
    for (const one of [old.id, tags.a, await idOf('everyone')])
      expect(await refused('DELETE', `segments/${one}`)).toEqual(conflict);
    const second = await made('Second', { any: [id, tags.a] });
    expect(await refused('DELETE', `segments/${id}`)).toEqual([409, 'in_use', ' in_use']);
    for (const one of [second.id, id, user.id]) {
      const answer = await send('DELETE', `segments/${one}`);
      expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { id: one }]);
      expect(await refused('GET', `segments/${one}`)).toEqual([404, 'not_found']);
      expect(await refused('DELETE', `segments/${one}`)).toEqual([404, 'not_found']);
    }
    const path = `/v2/properties/${service.property}/segments/${id}/profiles`;
    expect((await service.call('GET', path)).status).toBe(404);
    expect(await emailsOf(old.id)).toHaveLength(7);
  });

  it('can be sent back in the form in which they are read, like collections', async () => {
    const segment = await made('Sent back', { any: [tags.a, { not: tags.b }] });
    const shown = await read(segmentAnswer, `segments/${segment.id}`);
    const again = await send('POST', 'segments', shown);
    expect([again.status, JSON.parse(again.text)]).toMatchObject([201, { definition: shown.definition }]);
    const edited = await send('PUT', `segments/${segment.id}`, shown);
    expect([edited.status, JSON.parse(edited.text)]).toMatchObject([200, { definition: shown.definition }]);
    const collection = await send('POST', 'collections', { name: 'Sent back', segments: [tags.a, tags.b] });
    const collected = v.parse(collectionAnswer, JSON.parse(collection.text));
    for (const [method, path, status] of [
      ['PUT', `collections/${collected.id}`, 200],
      ['POST', 'collections', 201],
    ] as const) {
      const answer = await send(method, path, collected);
      const { name, segments } = collected;
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([status, { name, segments }]);
    }
  });

  it('can be previewed without being stored', async () => {
    const before = await read(segmentsAnswer, 'segments');
    const started = Date.now();
    const { status, text } = await send('POST', 'segments/preview', { definition: { not: tags.b } });
    expect(status).toBe(200);
    const { count, as_of, sample } = v.parse(previewAnswer, JSON.parse(text));
    expect([count, sample.map(({ email }) => email)]).toEqual([8, emails(1, 2, 5, 7, 8, 10, 11, 13)]);
    expect(Date.parse(as_of)).toBeGreaterThanOrEqual(started);
    const all = await send('POST', 'segments/preview', { definition: { any: [tags.b, { not: tags.b }] } });
    expect(v.parse(previewAnswer, JSON.parse(all.text)).sample).toHaveLength(10);
    expect(await read(segmentsAnswer, 'segments')).toEqual(before);
  });

  it('are refused with a pointer to each unknown, foreign or invalid part', async () => {
    const foreign = (service.property + 1) * 1e9 + 1;
    const definition = { all: [tags.a, { any: [foreign, { not: tags.b + 999 }] }] };
    const places = ['/definition/all/1/any/0', '/definition/all/1/any/1/not'];
    const unknown = [422, 'invalid', ...places.map((place) => `${place} unknown_reference`)];
    expect(await refused('POST', 'segments', { name: 'x', definition })).toEqual(unknown);
    expect(await refused('POST', 'segments/preview', { definition })).toEqual(unknown);
    const { id } = await made('Refused', tags.a);
    expect(await refused('PUT', `segments/${id}`, { name: 'x', definition })).toEqual(unknown);
    const wrong = { name: 'a\u0000', definition: { all: [tags.a] } };
    expect(await refused('POST', 'segments', wrong)).toEqual([422, 'invalid', '/name bad_characters']);
    const strange = { name: 'x', definition: { every: [tags.a] } };
    expect(await refused('POST', 'segments', strange)).toEqual([422, 'invalid', '/definition not_allowed']);
    const notFound = [404, 'not_found'];
    for (const as of ['other'] as const) {
      expect(await refused('DELETE', `segments/${id}`, undefined, { as })).toEqual(notFound);
      expect(await refused('PUT', `segments/${id}`, { name: 'x', definition: 1 }, { as })).toEqual(notFound);
    }
    expect(await refused('GET', 'segments/preview')).toEqual(notFound);
  });
});
