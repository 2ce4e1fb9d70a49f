import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { routes } from '../../functions/edge/routes.ts';
import { auditLogAnswer } from '../../shared/audit/schemas.ts';
import { namedSegment } from '../../shared/catalogue/segment-refs.ts';
import { isObject } from '../../shared/http/json.ts';
import { isGetter } from '../../shared/http/schema-places.ts';
import { returnedProfile } from '../../shared/profiles/schemas.ts';
import { customSegmentAnswer } from '../../shared/segments/schemas.ts';
import type { CallOptions, Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';

/** Whether a schema takes a segment by its type and name: so does each that takes one by its id, but for moments. */
const takesSegment = (schema: unknown, above: readonly unknown[] = []): boolean => {
  if (!isObject(schema) || above.includes(schema)) return false;
  const marks: readonly unknown[] = [namedSegment, namedSegment.entries.name];
  if (marks.includes(schema)) return true;
  const { entries, item, value, wrapped, pipe, options, getter } = schema;
  const listOf = (inner: unknown): readonly unknown[] => (Array.isArray(inner) ? inner : []);
  const parts = [
    ...Object.values(isObject(entries) ? entries : {}),
    ...[item, value, wrapped, isGetter(getter) ? getter(undefined) : undefined],
    ...[...listOf(pipe), ...listOf(options)],
  ];
  return parts.some((part) => takesSegment(part, [...above, schema]));
};

/** Routes about one segment that show, rename or delete it at any time. */
const always = ['getSegment', 'deleteSegment'];

/** The routes that can name a segment. */
const naming = routes.flatMap(({ name, trigger }) => {
  const isNaming =
    trigger.path.includes('{segment_id}') || [trigger.query, trigger.body].some((one) => takesSegment(one));
  return isNaming && !always.includes(name) ? [{ name, trigger }] : [];
});

const NAME = 'Spends 500 or more';
const byName = { type: 'condition', name: NAME };

interface Own {
  readonly condition: number;
  readonly everyone: number;
  readonly custom: number;
  readonly collection: number;
  readonly exported: string;
  readonly person: string;
}

type Named = readonly [path: string, body?: object];

/** Calls that name the condition, by id and by name, by the name of their route. */
const callsOf = (own: Own): Readonly<Record<string, readonly Named[]>> => {
  const { condition, everyone } = own;
  const defined = [condition, { named: byName }, { all: [everyone, { not: condition }] }];
  const refs = [condition, byName];
  const asked = `segment_type=condition&segment_name=${encodeURIComponent(NAME)}`;
  const explained = (segment: string): string => `/v1/P/segments/${segment}/profiles/${own.person}`;
  const list = (segment: unknown) => ({ name: 'List', segments: [everyone, segment] });
  const tracked = (reference_tile: unknown) => ({ name: 'Tracked', comments: '', reference_tile });
  return {
    createSegment: defined.map((definition) => ['/v1/P/segments', { name: 'One', definition }]),
    replaceSegment: defined.map((definition) => [
      `/v1/P/segments/${own.custom}`,
      { name: 'Other', definition },
    ]),
    previewSegment: [...defined, { any: [{ where: rule }, condition] }].map((definition) => [
      '/v1/P/segments/preview',
      { definition },
    ]),
    listSegmentProfiles: [[condition, ''] as const, [everyone, `?not=${condition}`] as const].map(
      ([segment, query]) => [`/v2/properties/P/segments/${segment}/profiles${query}`],
    ),
    explainMembership: [[explained(`${condition}`)], [`${explained('by-name')}?${asked}`]],
    createCollection: refs.map((one) => ['/v1/P/collections', list(one)]),
    replaceCollection: refs.map((one) => [`/v1/P/collections/${own.collection}`, list(one)]),
    createTimeline: refs.map((one) => ['/v2/properties/P/timelines', tracked(one)]),
    createExport: refs.map((one) => ['/v1/P/exports', { segment: [one] }]),
    replaceExport: refs.map((one) => [`/v1/P/exports/${own.exported}`, { segment: [one] }]),
    createErasure: refs.map((segment) => ['/v1/P/erasures', { segment, profiles: 1 }]),
  };
};

const rule = { field: 'extra_data.spend', op: 'gte', value: 500 };

let service: Service;
let calls: ReturnType<typeof callsOf>;
let condition: number;
shared.beforeAll(async ({ service: own }) => {
  service = own;
  const { client, property } = own;
  const post = async <Id>(path: string, body: object, schema: v.GenericSchema<unknown, { id: Id }>) =>
    (await client.post(`/v1/${property}/${path}`, body, schema)).id;
  const stored = v.looseObject({ profile: returnedProfile });
  const record = { email: 'a@example.com', extra_data: { spend: 700 } };
  expect((await send('POST', '/v1/P/profiles', record)).status).toBe(201);
  const { profile } = await client.get(`/v1/${property}/profile?email=a@example.com`, stored);
  const [{ id: everyone }] = await client.get(`/v1/${property}/segments?name=everyone`, v.tuple([numbered]));
  ({ id: condition } = await client.post(
    `/v1/${property}/segments`,
    { name: NAME, where: rule },
    customSegmentAnswer,
  ));
  calls = callsOf({
    ...{ condition, everyone, person: profile.profile_uuid ?? '' },
    custom: await post('segments', { name: 'Custom', definition: everyone }, numbered),
    collection: await post('collections', { name: 'List', segments: [everyone] }, numbered),
    exported: await post('exports', { segment: [everyone] }, v.looseObject({ id: v.string() })),
  });
});

const send = (method: string, path: string, body?: object, options: CallOptions = {}) =>
  service.call(method, path.replace('/P/', `/${service.property}/`), {
    ...options,
    ...(body && { body: JSON.stringify(body) }),
  });

const numbered = v.looseObject({ id: v.number() });

const problem = v.looseObject({ status: v.number(), code: v.string(), detail: v.string() });

describe('a condition that is not ready', () => {
  it('is named here in a call of each route that can name a segment', () => {
    expect(Object.keys(calls).toSorted()).toEqual(naming.map(({ name }) => name).toSorted());
  });

  it.each(naming)(
    'is 409 for a while where it is named, by id and by name: $name',
    async ({ name, trigger }) => {
      expect(trigger.codes).toContain('segment_preparing');
      for (const [path, body] of calls[name] ?? []) {
        const { status, text, headers } = await send(trigger.method, path, body);
        const { code, detail } = v.parse(problem, JSON.parse(text));
        expect({ path, body, status, code }).toEqual({ path, body, status: 409, code: 'segment_preparing' });
        expect(headers.get('retry-after')).toBe('15');
        expect(detail).toContain(String(condition));
      }
    },
  );

  it('is in the audit log as what was refused', async () => {
    const { headers } = await send('GET', `/v2/properties/P/segments/${condition}/profiles`);
    const { text } = await send('GET', '/v2/properties/P/audit-log?limit=50');
    const { entries } = v.parse(auditLogAnswer, JSON.parse(text));
    const entry = entries.find(({ request_id }) => request_id === headers.get('x-request-id'));
    expect(entry).toMatchObject({ outcome: '409' });
  });

  it('does not keep an Idempotency-Key', async () => {
    const keyed = { headers: { 'idempotency-key': 'a-condition' } };
    const refused = await send('POST', '/v1/P/collections', { name: 'A', segments: [condition] }, keyed);
    expect(refused.status).toBe(409);
    const other = await send('POST', '/v1/P/segments', { name: NAME, where: rule }, keyed);
    expect(other.status).toBe(200);
  });

  it('is shown, listed by its type, renamed and deleted', async () => {
    const path = `/v1/P/segments/${condition}`;
    const shown = await send('GET', path);
    expect([shown.status, JSON.parse(shown.text)]).toMatchObject([
      200,
      { ready: false, count: null, where: rule },
    ]);
    expect((await send('PUT', path, { name: 'Renamed', where: rule })).status).toBe(200);
    expect(JSON.parse((await send('GET', '/v1/P/segments?type=condition')).text)).toMatchObject([
      { id: condition, name: 'Renamed' },
    ]);
    const other = { name: 'x', where: { ...rule, value: 501 } };
    expect((await send('PUT', path, other)).status).toBe(409);
    expect((await send('DELETE', path)).status).toBe(200);
    expect((await send('GET', path)).status).toBe(404);
  });
});

it('a stored definition names conditions, and has no rules of its own', async () => {
  const definition = { not: { where: rule } };
  const { status, text } = await send('POST', '/v1/P/segments', { name: 'x', definition });
  expect([status, JSON.parse(text)]).toMatchObject([
    422,
    { errors: [{ pointer: '/definition/not', code: 'not_allowed' }] },
  ]);
  expect(text).toContain('Create a condition');
});
