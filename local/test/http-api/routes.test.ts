import { describe, expect, it } from 'vitest';
import { createRouter } from '../../http-api/routes.ts';

const route = (key: string) => ({ key, functionName: key, timeoutMs: 1, mostAtOnce: 1, permitted: true });

const router = createRouter(
  [
    '$default',
    'ANY /things/{id}',
    'GET /things/{id}',
    'GET /things/special',
    'ANY /files/{proxy+}',
    'GET /files/{id}/meta',
    'POST /{a}/{b}',
  ].map(route),
);

describe('the router', () => {
  it.each([
    ['GET', '/things/special', 'GET /things/special', {}],
    ['GET', '/things/7', 'GET /things/{id}', { id: '7' }],
    ['DELETE', '/things/7', 'ANY /things/{id}', { id: '7' }],
    ['POST', '/things/7', 'ANY /things/{id}', { id: '7' }],
    ['GET', '/files/a/b/c', 'ANY /files/{proxy+}', { proxy: 'a/b/c' }],
    ['GET', '/files/a/meta', 'GET /files/{id}/meta', { id: 'a' }],
    ['POST', '/one/two', 'POST /{a}/{b}', { a: 'one', b: 'two' }],
    ['GET', '/things/a%20b%2Fc', 'GET /things/{id}', { id: 'a b/c' }],
    ['GET', '/things/%ff', 'GET /things/{id}', { id: '%ff' }],
    ['GET', '/nowhere', '$default', {}],
    ['GET', '/things/', '$default', {}],
    ['GET', '/files', '$default', {}],
    ['PUT', '/', '$default', {}],
  ])('%s %s goes to %s', (method, path, key, parameters) => {
    const match = router(method, path);
    expect([match?.route.key, match?.parameters]).toEqual([key, parameters]);
  });

  it('the router finds no route for an unknown path when there is no $default', () => {
    expect(createRouter([route('GET /a')])('GET', '/b')).toBeUndefined();
  });
});
