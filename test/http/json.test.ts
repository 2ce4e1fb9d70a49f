import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { isObject, parseJsonBody } from '../../shared/http/json.ts';

const { jsonDepth, jsonMembers } = limits.http;

/** The value of a body, or the sentence of its refusal. */
const read = (body: string | Uint8Array): unknown => {
  const parsed = parseJsonBody(typeof body === 'string' ? Buffer.from(body) : body);
  return parsed.ok ? parsed.value : `${parsed.error.status} ${parsed.error.detail}`;
};

/** An object with lists nested to a depth. */
const nested = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
const wide = (members: number, text = (n: number) => `"k${n}":${n}`): string =>
  `{${Array.from({ length: members }, (_, n) => text(n)).join()}}`;

const tooLarge = '400 The body is nested too deep, or an object in it has too many members.';

describe('a JSON body', () => {
  it('a JSON body is an object', () => {
    expect(read('{"a":[1,{"b":null}]}')).toEqual({ a: [1, { b: null }] });
    for (const other of ['[]', '"a"', '1', 'null', 'true'])
      expect(read(other)).toBe('400 The body must be a JSON object.');
    expect([{}, [], null, 'a'].map(isObject)).toEqual([true, false, false, false]);
  });

  it('a body that is not UTF-8 or not JSON is refused in a sentence of its own', () => {
    expect(read(Uint8Array.of(0x7b, 0xff, 0x7d))).toBe('400 The body is not valid UTF-8.');
    for (const text of ['', '{', '{"a":1,}', "{'a':1}", '{"a":"'])
      expect(read(text)).toMatch(/^400 The body is not valid JSON: it goes wrong at byte \d+\.$/);
  });

  it('the last value of a repeated key counts', () => {
    expect(read('{"a":1,"a":2}')).toEqual({ a: 2 });
  });

  it('a body may nest to the limit and no deeper', () => {
    expect(read(nested(jsonDepth))).toBeTypeOf('object');
    expect(read(nested(jsonDepth + 1))).toBe(tooLarge);
    expect(read(`{"a":${'{"a":'.repeat(jsonDepth)}1${'}'.repeat(jsonDepth)}}`)).toBe(tooLarge);
  });

  it('a body may hold more brackets in sequence than in depth', () => {
    expect(read(`{"a":[${Array.from({ length: 2 * jsonDepth }, () => '[]').join()}]}`)).toBeTypeOf('object');
    expect(read(`{"a":[${Array.from({ length: 2 * jsonDepth }, () => '{}').join()}]}`)).toBeTypeOf('object');
  });

  it('each object has as many members as the limit and no more', () => {
    expect(read(wide(jsonMembers))).toBeTypeOf('object');
    expect(read(wide(jsonMembers + 1))).toBe(tooLarge);
    // Members of an inner object count for the inner object; later members of the outer object continue the outer
    // count.
    expect(read(`{"in":${wide(jsonMembers)},"b":1}`)).toBeTypeOf('object');
    expect(read(wide(jsonMembers + 1, (n) => `"k${n}":{"a":1}`))).toBe(tooLarge);
  });

  it('the limits of a body ignore characters inside its texts', () => {
    const text = '['.repeat(2 * jsonDepth) + ':'.repeat(jsonMembers + 1) + '{'.repeat(2 * jsonDepth);
    expect(read(JSON.stringify({ text }))).toEqual({ text });
    const quoted = `"\\${text}\\"${text}`;
    expect(read(JSON.stringify({ quoted }))).toEqual({ quoted });
  });

  it('a body holds no key that would reach the prototype of an object, at any depth', () => {
    for (const name of ['__proto__', 'constructor', 'prototype'])
      for (const body of [`{"${name}":1}`, `{"a":[{"b":{"${name}":{}}}]}`])
        expect(read(body)).toBe('400 The body has a key that is not allowed anywhere.');
    expect(read('{"a":"__proto__"}')).toEqual({ a: '__proto__' });
  });
});
