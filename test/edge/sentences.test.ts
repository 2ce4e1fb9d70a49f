import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../functions/edge/openapi/document.ts';
import { readExamples } from '../../functions/edge/openapi/examples.ts';
import { routes } from '../../functions/edge/routes.ts';
import { isObject } from '../../shared/http/json.ts';

const document: unknown = JSON.parse(JSON.stringify(openApiDocument(routes, readExamples())));

/** A part of the document, with its pointer. */
type Place = readonly [pointer: string, part: unknown];

const membersOf = ([pointer, part]: Place): readonly Place[] =>
  isObject(part) || Array.isArray(part)
    ? Object.entries(part).map(([name, member]) => [`${pointer}/${name}`, member])
    : [];

/** Examples hold values, which have fields of their own. */
const isSpoken = ([pointer]: Place): boolean => !/\/(?:examples?|default|enum|const)$/.test(pointer);

const partsWithin = (place: Place): readonly Place[] => [
  place,
  ...membersOf(place).filter(isSpoken).flatMap(partsWithin),
];

const atPointer = (pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (part, name) => (isObject(part) ? part[name.replaceAll('~1', '/')] : undefined),
      document,
    );

/** Whether a part has a sentence, or refers to a part with a sentence. */
const hasSentence = (part: unknown): boolean => {
  if (!isObject(part)) return false;
  const { description, $ref } = part;
  if (typeof description === 'string') return /^\S.*[.:]/s.test(description);
  return typeof $ref === 'string' && hasSentence(atPointer($ref));
};

const places = partsWithin(['#', document]);
const within = (name: string): readonly Place[] =>
  places
    .filter(([pointer]) => pointer.endsWith(`/${name}`) && !pointer.endsWith(`/properties/${name}`))
    .flatMap(membersOf);

describe('sentences of the OpenAPI document', () => {
  it.each([
    ['field', 'properties', 500],
    ['parameter', 'parameters', 100],
  ])('each %s has a sentence', (_what, name, least) => {
    const named = within(name);
    expect(named.length).toBeGreaterThan(least);
    expect(named.filter(([, part]) => !hasSentence(part)).map(([pointer]) => pointer)).toEqual([]);
  });

  it.each([
    ['operation', membersOf(['#/paths', atPointer('#/paths')]).flatMap(membersOf), 70],
    ['tag', membersOf(['#/tags', atPointer('#/tags')]), 8],
    ['model', membersOf(['#/components/schemas', atPointer('#/components/schemas')]), 100],
    ['header', membersOf(['#/components/headers', atPointer('#/components/headers')]), 7],
    ['call to a webhook', membersOf(['#/webhooks', atPointer('#/webhooks')]).flatMap(membersOf), 6],
  ])('each %s has a sentence', (_what, described, least) => {
    expect(described.length).toBeGreaterThanOrEqual(least);
    expect(described.filter(([, part]) => !hasSentence(part)).map(([pointer]) => pointer)).toEqual([]);
  });
});
