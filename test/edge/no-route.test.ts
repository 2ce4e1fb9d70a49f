import { describe, expect, it } from 'vitest';
import { notFound } from '../../functions/edge/entries.ts';
import { routes } from '../../functions/edge/routes.ts';
import { systemRuntime } from '../../shared/edge/http-handler.ts';
import { answerWithoutRoute, noRoute } from '../../shared/edge/no-route.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { apiEvent } from '../support/api-event.ts';
import { problemOf } from '../support/answers.ts';

const known = routes.map(({ paths, trigger }) => ({ method: trigger.method, paths }));
const handler = publicHandler(
  notFound,
  (_, request) => Promise.resolve(answerWithoutRoute(known, request)),
  () => undefined,
  { runtime: { ...systemRuntime, log: () => undefined } },
);
const ask = (method: string, path: string, body?: string) => handler(apiEvent({ method, path, body }));

describe('a request to a known path', () => {
  it.each([
    ['PATCH', '/v1/1001/profile', 'DELETE, GET, HEAD'],
    ['DELETE', '/v1/1001/profiles', 'GET, HEAD, POST'],
    ['PUT', '/api/v1/1001/profiles', 'GET, HEAD, POST'],
    ['PUT', '/1001/imports', 'GET, HEAD, POST'],
    ['PUT', '/v1/1001/imports', 'GET, HEAD, POST'],
    ['POST', '/v2/properties/1001/segments/7/profiles', 'GET, HEAD'],
    ['GET', '/oauth/token', 'POST'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['OPTIONS', '/docs', 'GET, HEAD'],
  ])('%s %s is answered with 405 and the allowed methods', async (method, path, allow) => {
    const answer = await ask(method, path, 'ignored');
    expect(problemOf(answer)).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect(answer.headers['allow']).toBe(allow);
  });
});

describe('a request to an unknown path', () => {
  it.each([
    '/v1',
    '/v1/imports',
    '/v1/1001',
    '/v1/1001/profile/',
    '/v1//1001/profile',
    '/v1/1001/profile;x=1',
    '/v1/01001/profile',
    '/v1/1001/../1002/profile',
    '/v1/%2e%2e/profile',
    '/v1/1001%2Fprofile',
    '/v1/1001/timelines',
    '/v1/1001/segments/7/profiles',
    '/v2/properties/1001/profile',
    '/__proto__',
    '/V1/1001/profile',
    `/${'x/'.repeat(5_000)}`,
  ])('%.40s is answered with 404', async (path) => {
    expect(problemOf(await ask('GET', path))).toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('a message about an unknown path', () => {
  const sentence = (method: string, path: string): string => noRoute(known, { method, path }).detail;

  it.each([
    ['/v1/1001/timelines', 'Did you mean /v2/properties/1001/timelines? See /docs.'],
    ['/v1/1001/segment', 'Did you mean /v1/1001/segments? See /docs.'],
    ['/v1/1001/segments/7/profiles', 'Did you mean /v2/properties/1001/segments/7/profiles? See /docs.'],
    ['/oauth/tokn', 'Did you mean /oauth/token? See /docs.'],
    ['/me/tokens', 'Did you mean /v1/me/tokens? See /docs.'],
    ['/v1/1001/nothing-like-it', 'See /docs.'],
  ])('%s is told what was probably meant', (path, end) => {
    expect(sentence('GET', path)).toBe(`No route GET ${path}. ${end}`);
  });

  it.each(['/%3Cscript%3E', '/a?b', `/${'x'.repeat(200)}`, '/<b>'])('%.20s is not repeated', (path) => {
    expect(sentence('GET', path)).toBe('No such route. See /docs.');
  });
});

describe('the address of the service', () => {
  it.each(['GET', 'HEAD'])('%s / answers where the documents are', async (method) => {
    const answer = await ask(method, '/');
    expect(answer.statusCode).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({
      docs: '/docs',
      openapi: '/openapi.json',
      health: '/healthz',
    });
  });

  it('POST / is answered with 404', async () => {
    expect(problemOf(await ask('POST', '/'))).toMatchObject({ status: 404 });
  });
});
