/** Parameters of the operations: of the path, the query and the header. */
import { partsOfObject, type Json } from './json.ts';

/** The sentence and the form of each path parameter. */
const pathParameters: Readonly<Record<string, readonly [sentence: string, schema: Json]>> = {
  property_id: [
    'The id of a property of your account. `GET /v1/me` lists them.',
    { type: 'integer', minimum: 1 },
  ],
  segment_id: ['The id of a segment.', { type: 'integer', minimum: 1 }],
  collection_id: ['The id of a collection.', { type: 'integer', minimum: 1 }],
  import_id: ['The id of an import definition.', { type: 'integer', minimum: 1 }],
  export_id: ['The id of an export definition.', { type: 'integer', minimum: 1 }],
  job_id: ['The id of a job of this definition.', { type: 'integer', minimum: 1 }],
  timeline_id: ['The id of a timeline.', { type: 'integer', minimum: 1 }],
  moment_id: ['The id of a moment of this timeline.', { type: 'integer', minimum: 1 }],
  profile_uuid: ['The UUID of a profile.', { type: 'string', format: 'uuid' }],
  erasure_id: ['The id of an erasure.', { type: 'integer', minimum: 1 }],
  token_id: [
    'The id of a token of your user, as the list of tokens shows it.',
    { type: 'string', pattern: '^[0-9a-f]{8}$' },
  ],
  objection: ['The id of an objection.', { type: 'string' }],
  delivery: ['The id of a delivery of this job, as the list of deliveries shows it.', { type: 'string' }],
  capability: ['The secret in the address, which takes the place of a token.', { type: 'string' }],
  file_name: ['The name of the file.', { type: 'string' }],
};

/** The parameters that operations refer to by name. */
export const sharedParameters = (): Json => ({
  ...Object.fromEntries(
    Object.entries(pathParameters).map(([name, [description, schema]]) => [
      name,
      { name, in: 'path', required: true, description, schema },
    ]),
  ),
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A key of your choice that is new for each request, such as a UUID. If you repeat the request with its key, the ' +
      'service answers as it did first and does nothing twice.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  },
});

const refTo = (name: string): Json => ({ $ref: `#/components/parameters/${name}` });

/** The parameters of a path. A parameter that also takes a word is described in full. */
export const pathParametersOf = (
  path: string,
  words: Readonly<Record<string, string>> = {},
): readonly Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const [description, schema] = pathParameters[name] ?? [];
    if (schema === undefined) throw new Error(`openapi: the path parameter ${name} has no description`);
    const word = words[name];
    if (word === undefined) return refTo(name);
    return {
      name,
      in: 'path',
      required: true,
      description: `${description} Or \`${word}\`: then the query names the type and the name.`,
      schema: { anyOf: [schema, { type: 'string', const: word }] },
    };
  });

/** The parameters of a query, from the JSON Schema of its object. A list is written with commas. */
export const queryParametersOf = (query: Json): readonly Json[] => {
  const { properties, required } = partsOfObject(query);
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    ...(schema['type'] === 'array' ? { style: 'form', explode: false } : {}),
    schema,
  }));
};

/** The header with which a client may repeat a request. */
export const idempotencyKey: Json = refTo('Idempotency-Key');
