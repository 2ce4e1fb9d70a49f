/**
 * Closed objects: a body with an unknown field is refused, and the document says so. Answers may get new fields, so the
 * document leaves their objects open for clients that check answers.
 */
import { isObject } from '../../../shared/http/json.ts';
import { objectFrom, type Json } from './json.ts';

/** The document with closed objects only in what bodies consist of. */
export const closeOnlyBodies = (document: Json): Json => {
  const { components } = document;
  const schemas = isObject(components) && isObject(components['schemas']) ? components['schemas'] : {};
  const sent = reachable(schemas, bodiesOf(document['paths']));
  const opened = objectFrom(
    Object.entries(schemas).map(([name, schema]) => [name, sent.has(name) ? schema : open(schema)]),
  );
  return {
    ...document,
    paths: openAnswers(document['paths']),
    components: { ...(isObject(components) ? components : {}), schemas: opened },
  };
};

const bodiesOf = (paths: unknown): readonly unknown[] =>
  operationsIn(paths).flatMap((operation) => (isObject(operation) ? [operation['requestBody'] ?? {}] : []));

const operationsIn = (paths: unknown): readonly unknown[] =>
  Object.values(isObject(paths) ? paths : {}).flatMap((item) => Object.values(isObject(item) ? item : {}));

/** The names of the models that these values refer to, directly or through other models. */
const reachable = (schemas: Json, from: readonly unknown[]): ReadonlySet<string> => {
  const found = new Set<string>();
  const left = [...from];
  // The list grows while it is read.
  for (const next of left) {
    for (const [, name = ''] of JSON.stringify(next).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      left.push(schemas[name]);
    }
  }
  return found;
};

const openAnswers = (paths: unknown): unknown =>
  mapValues(paths, (item) =>
    mapValues(item, (operation) =>
      isObject(operation) ? { ...operation, responses: open(operation['responses']) } : operation,
    ),
  );

/** A value without the mark of closed objects, at every depth. */
const open = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(open);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(
    ([key, member]) => key !== 'additionalProperties' || member !== false,
  );
  return mapValues(objectFrom(kept), open);
};

const mapValues = (value: unknown, change: (member: unknown) => unknown): unknown =>
  isObject(value) ? objectFrom(Object.entries(value).map(([key, member]) => [key, change(member)])) : value;
