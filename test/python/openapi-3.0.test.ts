import { createConfig, lintFromString } from '@redocly/openapi-core';
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { openApi30 } from '../../client/python/openapi-3.0.ts';

/** The 3.0 form of a schema, as the only schema of a document. */
const converted = (schema: unknown): unknown => {
  const document = openApi30({ openapi: '3.1.0', components: { schemas: { Only: schema } } });
  return v.parse(oneSchema, document).components.schemas.Only;
};
const oneSchema = v.object({ components: v.object({ schemas: v.object({ Only: v.unknown() }) }) });

/** 3.0 has no better word for a model or null. Generators understand it. */
const known = 'The `type` field must be defined when the `nullable` field is used.';

describe('the document in OpenAPI 3.0', () => {
  it('has no fault that the linter of Redocly finds', async () => {
    const text = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
    const document = v.parse(v.record(v.string(), v.unknown()), JSON.parse(text));
    const found = await lintFromString({
      source: JSON.stringify(openApi30(document)),
      config: await createConfig({ extends: ['spec'] }),
    });
    const others = found.filter(({ message }) => message !== known);
    expect(others.map(({ message, location }) => [message, location[0]?.pointer])).toEqual([]);
  });

  it.each([
    [
      'null as a type',
      { type: ['string', 'null'], format: 'date' },
      { type: 'string', format: 'date', nullable: true },
    ],
    ['null alone', { type: 'null', description: 'None.' }, { description: 'None.', nullable: true }],
    [
      'null among the options',
      { type: ['string', 'null'], enum: ['a', null] },
      { type: 'string', enum: ['a'], nullable: true },
    ],
    [
      'one or null',
      { anyOf: [{ type: 'array', items: true }, { type: 'null' }] },
      { type: 'array', items: {}, nullable: true },
    ],
    [
      'a model or null',
      { anyOf: [{ $ref: '#/m' }, { type: 'null' }] },
      { allOf: [{ $ref: '#/m' }], nullable: true },
    ],
    [
      'a model with a sentence',
      { $ref: '#/m', description: 'It.' },
      { description: 'It.', allOf: [{ $ref: '#/m' }] },
    ],
    ['a model', { $ref: '#/m' }, { $ref: '#/m' }],
    ['several types', { type: ['string', 'number'] }, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    ['a constant', { const: 'Bearer' }, { type: 'string', enum: ['Bearer'] }],
    ['bytes', { type: 'string', contentEncoding: 'base64' }, { type: 'string', format: 'byte' }],
    [
      'members',
      { type: 'object', properties: { enum: { const: 1 } }, additionalProperties: false },
      { type: 'object', properties: { enum: { type: 'number', enum: [1] } }, additionalProperties: false },
    ],
    [
      'alternatives in alternatives',
      {
        anyOf: [
          { type: ['string', 'null'] },
          { type: 'array', items: { type: ['string', 'number'] } },
          { type: 'null' },
        ],
      },
      { anyOf: [{ type: 'string' }, { type: 'array', items: {} }], nullable: true },
    ],
  ])('says %s', (_name, schema, expected) => {
    expect(converted(schema)).toEqual(expected);
  });

  it('has no webhooks, and the examples as they are', () => {
    const example = { schema: { type: ['string', 'null'] } };
    const document = { openapi: '3.1.0', webhooks: {}, paths: { '/a': { get: { example } } } };
    expect(openApi30(document)).toEqual({ openapi: '3.0.3', paths: { '/a': { get: { example } } } });
  });
});
