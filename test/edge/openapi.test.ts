import { expect, it } from 'vitest';
import { routes } from '../../functions/edge/routes.ts';
import { docsPage } from '../../shared/edge/docs-page.ts';
import { openApiDocument, operationsOf } from '../../shared/edge/openapi.ts';

const document = openApiDocument(routes, 'https://api.example.test');

/** The part of the document at a JSON pointer. */
const follow = (pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/'))
    .reduce<unknown>(
      (at, key) =>
        typeof at === 'object' && at !== null
          ? Object.entries(at).find(([name]) => name === key)?.[1]
          : undefined,
      document,
    );

it('every reference of the OpenAPI document resolves inside the document', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = '']) => to);
  expect(new Set(references).size).toBeGreaterThan(1);
  expect(references.filter((to) => follow(to) === undefined)).toEqual([]);
  expect(JSON.stringify(document)).not.toContain('$defs');
});

it('a recursive schema, such as a segment definition, is described by name', () => {
  expect(follow('#/components/schemas/createSegment.body.0')).toBeDefined();
  expect(docsPage(operationsOf(routes), 'https://api.example.test')).toContain('nested: see OpenAPI');
});

/** The description of an operation in the document. */
const operation = (method: string, path: string): unknown =>
  follow(`/paths/${path.replaceAll('/', '~1')}/${method}`);

it('the OpenAPI document states for each route whether the route needs a token', () => {
  for (const { trigger, paths } of routes)
    expect(operation(trigger.method.toLowerCase(), paths[0] ?? '')).toMatchObject({
      security: trigger.auth === 'token' ? [{ token: [] }] : [],
    });
});

it('the OpenAPI document lists the statuses that only some routes answer', () => {
  const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  expect(operation('get', '/downloads/{capability}/{file_name}')).toMatchObject({
    responses: { 303: {}, 403: { content: problem } },
  });
  expect(operation('get', '/v1/{property_id}/imports/{import_id}/uploads/{job_id}')).toMatchObject({
    responses: { 409: { content: problem } },
  });
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
  expect(operation('get', '/downloads/{capability}/{file_name}')).toMatchObject({
    parameters: ['capability', 'file_name'].map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
  });
  expect(operation('get', '/v1/{property_id}/imports/{import_id}')).toMatchObject({
    parameters: ['property_id', 'import_id'].map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'integer', minimum: 1 },
    })),
  });
});

it('the OpenAPI document offers an Idempotency-Key on each POST with a token and on no other operation', () => {
  const key = { name: 'Idempotency-Key', in: 'header', required: false };
  for (const { method, needsToken, parameters, name } of operationsOf(routes)) {
    const headers = parameters.filter((one) => one.in === 'header');
    expect([name, headers]).toMatchObject([name, method === 'POST' && needsToken ? [key] : []]);
    for (const { schema } of headers) {
      const pattern = new RegExp(schema.pattern ?? '');
      expect(
        ['k', 'k'.repeat(255), '', 'k'.repeat(256), 'a b', 'é'].map((text) => pattern.test(text)),
      ).toEqual([...[true, true, false, false, false, false]]);
    }
  }
});
