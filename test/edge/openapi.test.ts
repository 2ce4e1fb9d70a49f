import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { codeLists } from '../../functions/edge/openapi/code-models.ts';
import { openApiDocument, openApiText } from '../../functions/edge/openapi/document.ts';
import { readExamples } from '../../functions/edge/openapi/examples.ts';
import { routes } from '../../functions/edge/routes.ts';
import { permissions } from '../../shared/http/permissions.ts';

const document = openApiDocument(routes, readExamples());

/** The part of the document at a JSON pointer. References on the way are followed. */
const follow = (pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/'))
    .reduce<unknown>((at, key) => memberOf(resolved(at), key), document);

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : undefined;

/** What a reference refers to; any other value as it is. */
const resolved = (value: unknown): unknown => {
  const to = memberOf(value, '$ref');
  return typeof to === 'string' ? follow(to.slice(1)) : value;
};

/** The description of an operation in the document. */
const operation = (method: string, path: string): unknown =>
  follow(`/paths/${path.replaceAll('/', '~1')}/${method}`);

/** The parameters of an operation, without references. */
const parametersOf = (method: string, path: string): readonly unknown[] => {
  const parameters = memberOf(operation(method, path), 'parameters');
  return Array.isArray(parameters) ? parameters.map(resolved) : [];
};

it('openapi.json is what the code says', () => {
  const file = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
  expect(
    file === openApiText(routes, readExamples()),
    'openapi.json is out of date: run npm run openapi',
  ).toBe(true);
});

it('the creation of import jobs and their batches are internal operations, and no other', () => {
  const internal = routes.filter(({ paths: [path = ''], trigger }) =>
    memberOf(operation(trigger.method.toLowerCase(), path), 'x-internal'),
  );
  expect(internal.map(({ name }) => name).toSorted()).toEqual(['createImportJob', 'importData']);
});

it('every reference of the OpenAPI document resolves inside the document', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)].map(([, to = '']) => to);
  expect(new Set(references).size).toBeGreaterThan(100);
  expect(references.filter((to) => follow(to) === undefined)).toEqual([]);
  expect(JSON.stringify(document)).not.toContain('$defs');
});

it('a recursive schema, such as a segment definition, is described by names at each step', () => {
  expect(follow('/components/schemas/SegmentInput/properties/definition')).toMatchObject({
    $ref: '#/components/schemas/SegmentDefinitionInput',
  });
  expect(follow('/components/schemas/SegmentDefinitionInput')).toMatchObject({
    anyOf: [
      { type: 'integer' },
      ...['NamedSegmentInput', 'AllOfSegmentsInput', 'AnyOfSegmentsInput', 'NotSegmentInput'].map((name) => ({
        $ref: `#/components/schemas/${name}`,
      })),
    ],
  });
  expect(follow('/components/schemas/AllOfSegmentsInput/properties/all/items')).toEqual({
    $ref: '#/components/schemas/SegmentDefinitionInput',
  });
});

it('lists of at most n elements show their elements and their bounds', () => {
  expect(
    follow('/components/schemas/ImportInput/properties/mapping_fields/properties/field_maps'),
  ).toMatchObject({
    type: 'array',
    minItems: 1,
    maxItems: 500,
    items: { $ref: '#/components/schemas/FieldMap' },
  });
  expect(follow('/components/schemas/BatchInput/properties/records/items')).toEqual({
    $ref: '#/components/schemas/ProfileInput',
  });
});

it('a body is closed and does not require what has a default; an answer is open', () => {
  expect(follow('/components/schemas/ImportInput')).toMatchObject({
    required: ['name', 'mapping_fields'],
    additionalProperties: false,
  });
  expect(follow('/components/schemas/Profile')).not.toHaveProperty('additionalProperties');
});

it('numbers and switches of a query are described as numbers and switches', () => {
  const page = parametersOf('get', '/v2/properties/{property_id}/segments/{segment_id}/profiles');
  expect(page).toContainEqual(
    expect.objectContaining({ name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 1000 } }),
  );
  const lookup = parametersOf('get', '/v1/{property_id}/profile');
  expect(lookup).toContainEqual(
    expect.objectContaining({ name: 'explain', schema: { type: 'boolean', default: false } }),
  );
  expect(lookup).toContainEqual(expect.objectContaining({ name: 'include', style: 'form', explode: false }));
});

it('the OpenAPI document states which routes need no token, and which permission the others need', () => {
  expect(document).toMatchObject({ security: [{ token: [] }] });
  for (const { trigger, paths } of routes) {
    const described = operation(trigger.method.toLowerCase(), paths[0] ?? '');
    const permission = trigger.auth === 'token' ? trigger.permission : null;
    expect(memberOf(described, 'security')).toEqual(trigger.auth === 'token' ? undefined : []);
    expect(memberOf(described, 'x-permission')).toBe(permission ?? undefined);
  }
});

it('the OpenAPI document describes every permission', () => {
  expect(follow('/components/securitySchemes/token')).toMatchObject({ 'x-scopes': permissions });
});

it('every operation has one tag that the document describes', () => {
  const described = JSON.stringify(document['tags']);
  for (const { trigger, paths } of routes) {
    const tags = memberOf(operation(trigger.method.toLowerCase(), paths[0] ?? ''), 'tags');
    expect(tags).toHaveLength(1);
    expect(described).toContain(`"name":${JSON.stringify(tags).slice(1, -1)}`);
  }
});

it('the OpenAPI document lists the statuses that only some routes answer', () => {
  const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  const download = '/paths/~1downloads~1{capability}~1{file_name}/get/responses';
  expect(follow(`${download}/303`)).toBeDefined();
  expect(resolved(follow(`${download}/403`))).toMatchObject({ content: problem });
  const resume = '/paths/~1v1~1{property_id}~1imports~1{import_id}~1uploads~1{job_id}/get/responses';
  expect(resolved(follow(`${resume}/409`))).toMatchObject({ content: problem });
  for (const list of ['errors', 'warnings'])
    expect(operation('get', `/v1/{property_id}/imports/{import_id}/jobs/{job_id}/${list}`)).toMatchObject({
      responses: { 200: { content: { 'application/json': {}, 'text/csv': { schema: { type: 'string' } } } } },
    });
});

it('the OpenAPI document lists every media type of a body', () => {
  expect(operation('post', '/v1/{property_id}/imports/{import_id}/jobs/{job_id}/retry')).toMatchObject({
    requestBody: { content: { 'application/json': {}, 'text/csv': { schema: { type: 'string' } } } },
  });
});

it('the OpenAPI document gives the token route the errors of RFC 6749', () => {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/OAuthError' } } };
  const token = operation('post', '/oauth/token');
  expect(token).toMatchObject({ responses: { 400: { content }, 401: { content }, 429: { content } } });
  expect(JSON.stringify(token)).not.toMatch(/"4(04|09|22)"/);
});

it('the OpenAPI document lists the parameters of each path, and ids are numbers', () => {
  expect(parametersOf('get', '/downloads/{capability}/{file_name}')).toMatchObject(
    ['capability', 'file_name'].map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
  );
  expect(parametersOf('get', '/v1/{property_id}/imports/{import_id}')).toMatchObject(
    ['property_id', 'import_id'].map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'integer', minimum: 1 },
    })),
  );
});

it('the OpenAPI document offers an Idempotency-Key on each POST with a token and on no other operation', () => {
  const key = { name: 'Idempotency-Key', in: 'header', required: false };
  for (const { trigger, paths } of routes) {
    const { method, auth } = trigger;
    const headers = parametersOf(method.toLowerCase(), paths[0] ?? '').filter(
      (one) => memberOf(one, 'in') === 'header',
    );
    expect([paths[0], headers]).toMatchObject([paths[0], method === 'POST' && auth === 'token' ? [key] : []]);
  }
  const pattern = new RegExp(String(follow('/components/parameters/Idempotency-Key/schema/pattern')));
  expect(['k', 'k'.repeat(255), '', 'k'.repeat(256), 'a b', 'é'].map((text) => pattern.test(text))).toEqual([
    ...[true, true, false, false, false, false],
  ]);
});

it('the OpenAPI document describes every call to a webhook, with its signature and its body', () => {
  const types = [...JSON.stringify(document['webhooks']).matchAll(/"([a-z]+(?:\.[a-z]+)+)":\{"post"/g)].map(
    ([, type]) => type,
  );
  expect(types).toEqual([
    ...['export.completed', 'export.failed', 'export.test', 'segment.changes', 'segment.changes.test'],
    ...['import.completed', 'import.failed', 'enrichment.requested'],
  ]);
  for (const type of types) {
    const call = follow(`/webhooks/${type}/post`);
    const body = resolved(follow(`/webhooks/${type}/post/requestBody/content/application~1json/schema`));
    expect(JSON.stringify(memberOf(memberOf(body, 'properties'), 'type'))).toContain(`"${type}"`);
    expect(JSON.stringify(memberOf(call, 'parameters'))).toContain('"webhook-signature"');
  }
});

it('the OpenAPI document names the headers of answers', () => {
  expect(operation('get', '/v1/{property_id}/segments')).toMatchObject({
    responses: { 200: { headers: { 'X-Request-Id': {}, Link: {} } } },
  });
  expect(operation('post', '/v1/{property_id}/profiles')).toMatchObject({
    responses: { 200: { headers: { 'X-Request-Id': {}, 'Idempotency-Replayed': {} } } },
  });
  expect(operation('get', '/downloads/{capability}/{file_name}')).toMatchObject({
    responses: { 303: { headers: { Location: {} } } },
  });
  expect(follow('/components/responses/Problem429/headers')).toMatchObject({ 'Retry-After': {} });
});

it('a union of models lists its models', () => {
  const upload = '/paths/~1v1~1{property_id}~1imports~1{import_id}~1uploads/post/responses/201';
  expect(follow(`${upload}/content/application~1json/schema`)).toEqual({
    anyOf: [{ $ref: '#/components/schemas/WholeUpload' }, { $ref: '#/components/schemas/PartsUpload' }],
  });
});

/** The places of the document with a number that may have a fraction. Examples are values. */
const fractionsIn = (part: unknown, place: string): readonly string[] => {
  if (typeof part !== 'object' || part === null) return [];
  const here = [memberOf(part, 'type')].flat().includes('number') ? [place] : [];
  const inner = Object.entries(part).filter(([name]) => !/^(example|examples|x-.*)$/.test(name));
  return [...here, ...inner.flatMap(([name, value]) => fractionsIn(value, `${place}/${name}`))];
};

it('a number is an integer unless a fraction makes sense, so that generated clients give it none', () => {
  const members = fractionsIn(document, '').map((place) => {
    const [, model, member] = /^\/components\/schemas\/(\w+)\/.*\bproperties\/(\w+)/.exec(place) ?? [];
    return model === undefined ? place : `${model}.${member}`;
  });
  expect([...new Set(members)].toSorted()).toEqual([
    'CustomSegment.progress',
    'EnrichmentAnswer.extra_data',
    'Evidence.value',
    'ExportJob.progress',
    'FoundProfile.extra_data',
    'ImportDefinition.max_refused_share',
    'ImportInput.max_refused_share',
    'ListedProfile.extra_data',
    'PersonalData.extra_data',
    'ProfileInput.extra_data',
    'ProvenValues.value',
    'Segment.progress',
    'StoredImportDefinition.max_refused_share',
    'Where.value',
  ]);
});

it('each list of codes has the meaning and the remedy of each code', () => {
  const names = Object.keys(codeLists);
  expect(names).toContain('ProblemCode');
  for (const name of names) {
    const sentences = follow(`/components/schemas/${name}/x-enum-descriptions`);
    const values = follow(`/components/schemas/${name}/enum`);
    expect(sentences, name).toHaveLength(Array.isArray(values) ? values.length : -1);
    expect(sentences, name).toEqual(
      expect.not.arrayContaining([expect.not.stringMatching(/^[A-Z`"].*\. [A-Z`"].*\.$/)]),
    );
  }
});
