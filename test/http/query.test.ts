import { expect, it } from 'vitest';
import { parseQuery } from '../../shared/edge/request-input.ts';

it.each([
  ['', {}],
  ['limit=5', { limit: '5' }],
  ['a=1&b=2', { a: '1', b: '2' }],
  ['x=', { x: '' }],
  ['x==', { x: '=' }],
  ['x=a=b', { x: 'a=b' }],
  ['x=1+1', { x: '1+1' }],
  ['x=%C3%A9%26%3D', { x: 'é&=' }],
  ['%78=1', { x: '1' }],
])('the query %j is parsed', (raw, expected) => {
  expect(parseQuery(raw)).toEqual({ ok: true, value: expected });
});

it.each([
  'limit',
  '=',
  '=5',
  'limit=5&',
  '&limit=5',
  'a=1&&b=2',
  'a=1&b',
  'x=%zz',
  '%zz=x',
  'x=%ff',
  '%ff=x',
  'x=a%00',
  'a%00=x',
  'x=%7F',
  'limit=5&limit=6',
  'limit=5&%6cimit=5',
])('the query %j is answered with 400', (raw) => {
  expect(parseQuery(raw)).toMatchObject({ ok: false, error: { status: 400, code: 'bad_request' } });
});
