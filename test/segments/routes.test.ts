import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  segmentAnswer,
  segmentSizesAnswer,
  segmentsAnswer,
  treeAnswer,
} from '../../shared/segments/schemas.ts';
import { previewAnswer, segmentProfilesAnswer } from '../../shared/segments/people-schemas.ts';
import { auditLogAnswer } from '../../shared/audit/schemas.ts';
import { membershipAnswer } from '../../shared/segments/explain/schemas.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';

let service: Service;
shared.beforeAll(({ service: own }) => {
  service = own;
});

const post = (record: Record<string, unknown>) =>
  service.call('POST', `/v1/${service.property}/profiles`, {
    body: JSON.stringify(record),
    headers: { 'content-type': 'application/json' },
  });
const find = async (name: string) => {
  const { status, text } = await service.call('GET', `/v1/${service.property}/segments?name=${name}`);
  expect(status).toBe(200);
  return v.parse(segmentsAnswer, JSON.parse(text));
};
const tags = [{ datetime: '2026-01-02 03:04:05', tag: ['Routes Test'] }];

it('a HEAD gets the status and headers of the GET on every route, without a body', async () => {
  for (const path of ['/healthz', `/v1/${service.property}/segments`, `/v1/${service.property}/profile`]) {
    const [get, head] = [await service.call('GET', path), await service.call('HEAD', path)];
    expect([head.status, head.text]).toEqual([get.status, '']);
    for (const name of ['content-type', 'content-length', 'cache-control'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
  }
  expect((await service.call('HEAD', `/v1/${service.property}/segments`, { as: 'nobody' })).status).toBe(401);
  expect((await service.call('HEAD', `/v1/${service.property}/import-data`)).status).toBe(405);
});

const preview = async (definition: unknown) => {
  const { status, text, headers } = await service.call('POST', `/v1/${service.property}/segments/preview`, {
    body: JSON.stringify({ definition }),
    headers: { 'content-type': 'application/json', 'idempotency-key': 'preview' },
  });
  expect(status).toBe(200);
  return { ...v.parse(previewAnswer, JSON.parse(text)), request: headers.get('x-request-id') };
};
const auditOf = async (request: string | null) => {
  const { text } = await service.call('GET', `/v2/properties/${service.property}/audit-log?limit=50`);
  return v.parse(auditLogAnswer, JSON.parse(text)).entries.find(({ request_id }) => request_id === request);
};

describe('a preview under an Idempotency-Key', () => {
  it('shows nobody who was forgotten since, and the audit log names whom it showed', async () => {
    await post({ email: 'seen@example.com', tags: [{ datetime: '2026-01-02 03:04:05', tag: ['Preview'] }] });
    const [segment] = await find('preview');
    const definition = { all: [segment?.id] };
    const first = await preview(definition);
    const uuid = first.sample[0]?.profile_uuid;
    expect(first.sample.map(({ email }) => email)).toEqual(['seen@example.com']);
    const told = { profile_uuids: uuid, segment_ids: String(segment?.id) };
    expect(await auditOf(first.request)).toMatchObject({ ids: told });

    await service.call('DELETE', `/v1/${service.property}/profile?email=seen@example.com`);
    const second = await preview(definition);
    expect(second.sample).toEqual([]);
    expect((await auditOf(second.request))?.ids).toEqual({ segment_ids: String(segment?.id) });
  });
});

describe('segment routes of the running service', () => {
  it('show a person in the right segments as soon as the POST is answered', async () => {
    for (const n of [1, 2, 3]) expect((await post({ email: `r${n}@example.com`, tags })).status).toBe(201);
    const [segment] = await find('routes%20test');
    expect(segment).toMatchObject({ name: 'Routes Test', type: 'tag' });
    const path = `/v2/properties/${service.property}/segments/${segment?.id}/profiles`;
    const first = await service.call('GET', `${path}?limit=2`);
    const page = v.parse(segmentProfilesAnswer, JSON.parse(first.text));
    expect(page.profiles.map(({ email }) => email)).toEqual(['r1@example.com', 'r2@example.com']);
    const next = new URL(page.paging.next_page ?? '');
    const second = await service.call('GET', path + next.search);
    const rest = v.parse(segmentProfilesAnswer, JSON.parse(second.text));
    expect(rest.profiles.map(({ email }) => email)).toEqual(['r3@example.com']);
    expect(rest.paging.next_page).toBeNull();
  });

  it('explain why a person is in a segment, and show nothing to another account', async () => {
    const stored = await post({ email: 'why@example.com', source: 'Why Test', birthday: '1990-05-06' });
    const { profile_uuid } = v.parse(v.object({ profile_uuid: v.string() }), JSON.parse(stored.text));
    const [segment] = await find('why%20test');
    const path = (id: unknown, uuid: string) =>
      `/v1/${service.property}/segments/${String(id)}/profiles/${uuid}`;
    const { status, text } = await service.call('GET', path(segment?.id, profile_uuid));
    expect(status).toBe(200);
    expect(v.parse(membershipAnswer, JSON.parse(text))).toMatchObject({
      ...{ profile_uuid, segment, member: true, pending: false },
      why: { kind: 'value', because: [{ field: 'source', value: 'Why Test', tier: 'stated' }] },
    });
    const named = `${path('by-name', profile_uuid)}?segment_type=source&segment_name=why%20test`;
    const byName = await service.call('GET', named);
    expect(v.parse(membershipAnswer, JSON.parse(byName.text))).toMatchObject({ segment, member: true });
    const elsewhere = `/v1/${service.property}/segments/by-name`;
    expect((await service.call('GET', elsewhere)).status).toBe(404);
    const other = await service.call('GET', path(segment?.id, profile_uuid), { as: 'other' });
    const forged = await service.call('GET', path(segment?.id, profile_uuid.replace(/^./, 'g')));
    expect([other.status, forged.status]).toEqual([404, 404]);
    expect((await service.call('GET', path('%00', '%F0%9F'))).status).toBeLessThan(500);
  });

  it('list sizes at a cost that does not grow with the members', async () => {
    const { cloud } = service;
    const { gateway } = cloud;
    const read = async () => {
      gateway.meter.reset();
      const { text } = await service.call('GET', `/v1/${service.property}/segment-sizes?limit=20`);
      const spent = gateway.meter.snapshot().filter(({ caller }) => caller === 'listSegmentSizes');
      const { segments } = v.parse(segmentSizesAnswer, JSON.parse(text));
      const sized = segments.find(({ name }) => name === 'Sized');
      const units = spent.reduce((sum, { readUnits }) => sum + readUnits, 0);
      return { count: sized?.count, segments: segments.length, units, kinds: spent.map(({ kind }) => kind) };
    };
    const store = async (from: number, count: number): Promise<void> => {
      for (let n = from; n < from + count; n += 1)
        await post({ email: `sized${n}@example.com`, source: 'Sized' });
      expect((await cloud.invoke('measureSizes', {})).ok).toBe(true);
    };
    await store(0, 2);
    // The first request reads the keys and names, which the process then remembers.
    await read();
    const few = await read();
    await store(2, 60);
    const many = await read();
    expect([few.count, many.count]).toEqual([2, 62]);
    expect(many.segments).toBe(few.segments);
    expect(many.units).toBe(few.units);
    expect(many.kinds).not.toContain('chunk');
    expect((await service.call('GET', `/v1/${service.property}/segment-sizes?cursor=AAAA`)).status).toBe(400);
  });

  it('count a segment exactly, and show the tree of a person, as soon as the POST is answered', async () => {
    const record = { email: 'tree@example.com', country: 'Austria', city: 'Linz', source: 'Tree Test' };
    expect((await post(record)).status).toBe(201);
    const [segment] = await find('tree%20test');
    const path = `/v1/${service.property}/segments/${segment?.id}`;
    const before = Date.now();
    const read = async () => v.parse(segmentAnswer, JSON.parse((await service.call('GET', path)).text));
    const counted = await read();
    expect(counted).toMatchObject({ id: segment?.id, name: 'Tree Test', type: 'source', count: 1 });
    expect(Date.parse(counted.as_of)).toBeGreaterThanOrEqual(before);
    await post({ email: 'tree2@example.com', source: 'Tree Test' });
    expect((await read()).count).toBe(2);
    const tree = await service.call('GET', `/v1/${service.property}/profile_segments?email=tree@example.com`);
    expect(v.parse(treeAnswer, JSON.parse(tree.text))).toEqual({
      Location: {
        count: 2,
        segments: ['Austria'],
        subcategories: {
          Austria: {
            count: 1,
            segments: [],
            subcategories: { Unknown: { count: 1, segments: ['Linz, Austria'], subcategories: {} } },
          },
        },
      },
      Sources: { count: 1, segments: ['Tree Test'], subcategories: {} },
    });
    expect((await service.call('GET', path, { as: 'other' })).status).toBe(404);
    expect((await service.call('GET', `/v1/${service.property}/segments/1`)).status).toBe(404);
    const nobody = `/v1/${service.property}/profile_segments?email=nobody@example.com`;
    expect((await service.call('GET', nobody)).status).toBe(404);
    expect((await service.call('GET', `${nobody}&explain=true`)).status).toBe(400);
  });

  it('refuse malformed queries, and show nothing of other accounts', async () => {
    const [everyone] = await find('everyone');
    const path = `/v2/properties/${service.property}/segments/${everyone?.id}/profiles`;
    for (const query of ['limit=0', 'limit=1001', 'page=x', 'before=1', 'not=x', 'nope=1', 'limit=1&limit=2'])
      expect((await service.call('GET', `${path}?${query}`)).status).toBe(400);
    expect((await service.call('GET', `${path}?not=1`)).status).toBe(404);
    expect((await service.call('GET', path, { as: 'other' })).status).toBe(404);
    expect((await service.call('GET', path, { as: 'nobody' })).status).toBe(401);
    const segments = `/v1/${service.property}/segments`;
    expect((await service.call('GET', `${segments}?cursor=AAAA`)).status).toBe(400);
    expect((await service.call('GET', `${segments}?limit=x`)).status).toBe(400);
    expect((await service.call('GET', `/api${segments}?limit=1`)).headers.get('link')).toContain('cursor=');
  });
});
