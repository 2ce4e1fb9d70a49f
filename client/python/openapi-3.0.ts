/**
 * The API document in the words of OpenAPI 3.0, for generators that do not read 3.1. It describes the same requests and
 * answers, with three exceptions. The webhooks and the rules for the names of free members have no words in 3.0. The
 * items of a list that is one of several alternatives may be any values.
 */

/** A JSON Schema, or another object of an OpenAPI document. */
type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.0 form of an OpenAPI 3.1 document. */
export const openApi30 = (document: Json): Json => ({
  ...mapped(without(document, 'webhooks'), partOf),
  openapi: '3.0.3',
});

/** The 3.0 form of a part of the document that is no schema itself. */
const partOf = (value: unknown, name: string): unknown => {
  if (name === 'example') return value;
  if (name === 'schema') return schemaOf(value);
  if (name === 'schemas') return mapped(value, schemaOf);
  if (name === 'license') return without(value, 'identifier');
  if (Array.isArray(value)) return value.map((item: unknown) => partOf(item, ''));
  return isObject(value) ? mapped(value, partOf) : value;
};

const schemaOf = (schema: unknown): Json => {
  // `true` takes any value.
  if (!isObject(schema)) return {};
  const { $ref, type, anyOf, oneOf, ...others } = schema;
  const rest = restOf(others);
  // Beside `$ref`, 3.0 ignores every other member.
  if ($ref !== undefined) return Object.keys(rest).length > 0 ? { ...rest, allOf: [{ $ref }] } : { $ref };
  const arms = [...typesOf(type), ...listOf(anyOf ?? oneOf).flatMap(armsOf)];
  const taken = arms.filter((arm) => arm['type'] !== 'null');
  const nullable = taken.length < arms.length ? { nullable: true } : {};
  const [first, ...more] = taken;
  if (more.length > 0) return { ...rest, [oneOf ? 'oneOf' : 'anyOf']: taken, ...nullable };
  return { ...(first && '$ref' in first ? { allOf: [first] } : first), ...rest, ...nullable };
};

/** The types of a schema, each as a schema. */
const typesOf = (type: unknown): readonly Json[] => {
  if (type === undefined) return [];
  return Array.isArray(type) ? type.map((each: unknown) => ({ type: each })) : [{ type }];
};

/** An alternative, or the alternatives that it consists of: generators do not read alternatives in alternatives. */
const armsOf = (arm: unknown): readonly Json[] => {
  if (!isObject(arm) || Object.keys(arm).length !== 1) return [listsOfAny(schemaOf(arm))];
  const inner = listOf(arm['anyOf']);
  return arm['type'] === undefined && inner.length === 0
    ? [schemaOf(arm)]
    : [...typesOf(arm['type']), ...inner.flatMap(armsOf)];
};

/** A list as an alternative. Generators do not read items of several types in it, so these may be any values. */
const listsOfAny = (arm: Json): Json =>
  isObject(arm['items']) && 'anyOf' in arm['items'] ? { ...arm, items: {} } : arm;

/** The members of a schema that say neither its type nor its alternatives. */
const restOf = (members: Json): Json => {
  const { const: only, contentEncoding, ...others } = members;
  const rest = Object.entries(others).filter(([name]) => !unknown.has(name));
  return {
    ...(only === undefined ? {} : { type: typeof only, enum: [only] }),
    ...(contentEncoding === 'base64' ? { format: 'byte' } : {}),
    ...Object.fromEntries(rest.map(([name, value]) => [name, memberOf(name, value)])),
  };
};
const unknown: ReadonlySet<string> = new Set(['contentMediaType', 'propertyNames']);

const memberOf = (name: string, value: unknown): unknown => {
  if (name === 'properties') return mapped(value, schemaOf);
  // `nullable` says that null is a value too. Generators would make a value of it that is a text.
  if (name === 'enum') return listOf(value).filter((option) => option !== null);
  if (name === 'items') return schemaOf(value);
  return name === 'additionalProperties' && isObject(value) ? schemaOf(value) : value;
};

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const mapped = (value: unknown, change: (member: unknown, name: string) => unknown): Json =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).map(([name, member]) => [name, change(member, name)]),
  );

const without = (value: unknown, name: string): Json =>
  Object.fromEntries(Object.entries(isObject(value) ? value : {}).filter(([key]) => key !== name));
