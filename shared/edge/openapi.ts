/** OpenAPI document: derives the description of the API from the manifest and its schemas, for clients and tests. */
import { toJsonSchema, type JsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';

/** The part of a route's manifest entry that the document shows. `paths` has the address, then its aliases. */
export interface DocumentedRoute {
  readonly name: string;
  readonly summary: string;
  readonly paths: readonly string[];
  readonly trigger: {
    readonly method: string;
    readonly auth: 'token' | 'none';
    readonly internal?: boolean;
    readonly idWords?: Readonly<Record<string, string>>;
    readonly query?: GenericSchema;
    readonly body?: GenericSchema;
    readonly bodyForms?: readonly { readonly mediaType: string }[];
    readonly answer?: GenericSchema;
    readonly statuses: readonly number[];
    readonly problems?: readonly number[];
    readonly errorForm?: 'oauth';
    readonly mediaTypes?: readonly string[];
  };
}

/** One parameter of a route, in its path or query. */
interface DocumentedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** A route as both the OpenAPI document and the page show it. */
export interface Operation {
  readonly name: string;
  readonly summary: string;
  readonly method: string;
  readonly path: string;
  readonly aliases: readonly string[];
  readonly needsToken: boolean;
  readonly internal: boolean;
  readonly parameters: readonly DocumentedParameter[];
  readonly body?: JsonSchema;
  /** Media types of a body besides JSON. */
  readonly bodyTypes: readonly string[];
  readonly answer?: JsonSchema;
  readonly statuses: readonly number[];
  readonly problems: readonly number[];
  readonly errorForm: ErrorForm;
  readonly mediaTypes: readonly string[];
}

/** The error format of a route: RFC 9457, or RFC 6749 on the token route. */
type ErrorForm = 'problem' | 'oauth';

/** The meaning of each error status, on every route that returns it. */
export const problemMeanings: Readonly<Record<number, string>> = {
  400: 'Not JSON, not UTF-8, an unknown or malformed query parameter, a forged cursor',
  401: 'No, a malformed, expired, unknown or revoked token',
  403: 'An address with a secret that opens nothing, or no longer does',
  404: 'An unknown thing, or a property or thing of another account',
  409: 'Something else is in the way',
  413: 'The body is too large; send the data by upload',
  415: 'The body is of a media type or charset that the route does not take',
  422: 'Valid JSON that breaks the schema or a rule; errors names each fault',
  429: 'Too often; Retry-After says how long to wait',
  500: 'Our fault',
  503: 'Our fault; try again',
};

const COMPONENTS = '#/components/schemas/';

/** A schema as JSON Schema. Its recursive parts become definitions whose names begin with `name`. */
const schemaOf = (schema: GenericSchema, typeMode: 'input' | 'output', name = ''): JsonSchema => {
  const converted = toJsonSchema(schema, {
    target: 'draft-2020-12',
    errorMode: 'ignore',
    typeMode,
    overrideRef: ({ referenceId }) => `${COMPONENTS}${name}.${referenceId}`,
  });
  delete converted.$schema;
  return converted;
};

/** The schemas that a schema refers to, by the names in its references. */
const referredTo = (schema: JsonSchema | undefined, name: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(schema?.$defs ?? {}).map(([id, inner]) => [`${name}.${id}`, inner]));

const bodyName = (operation: string): string => `${operation}.body`;
const answerName = (operation: string): string => `${operation}.answer`;

/** The operations of the routes, in their order. */
export const operationsOf = (routes: readonly DocumentedRoute[]): readonly Operation[] =>
  routes.map(({ name, summary, paths, trigger }) => {
    const [path = '', ...aliases] = paths;
    const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) =>
      pathParameter(parameter, trigger.idWords?.[parameter]),
    );
    return {
      name,
      summary,
      path,
      aliases,
      method: trigger.method,
      needsToken: trigger.auth === 'token',
      internal: trigger.internal === true,
      parameters: [
        ...pathParameters,
        ...(trigger.query ? queryParameters(trigger.query) : []),
        ...keyOf(trigger),
      ],
      ...(trigger.body ? { body: schemaOf(trigger.body, 'input', bodyName(name)) } : {}),
      bodyTypes: (trigger.bodyForms ?? []).map(({ mediaType }) => mediaType),
      ...(trigger.answer ? { answer: schemaOf(trigger.answer, 'output', answerName(name)) } : {}),
      statuses: trigger.statuses,
      problems: problemsOf(path, trigger),
      errorForm: trigger.errorForm ?? 'problem',
      mediaTypes: trigger.mediaTypes ?? (trigger.answer ? ['application/json'] : []),
    };
  });

const pathParameter = (name: string, word: string | undefined): DocumentedParameter => ({
  name,
  in: 'path',
  required: true,
  schema: word === undefined ? idOrText(name) : { anyOf: [idOrText(name), { const: word }] },
});

const idOrText = (name: string): JsonSchema =>
  name.endsWith('_id') ? { type: 'integer', minimum: 1 } : { type: 'string' };

const queryParameters = (query: GenericSchema): readonly DocumentedParameter[] => {
  const { properties = {}, required = [] } = schemaOf(query, 'input');
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: typeof schema === 'boolean' ? {} : schema,
  }));
};

const keyOf = ({ method, auth }: DocumentedRoute['trigger']): readonly DocumentedParameter[] =>
  method === 'POST' && auth === 'token'
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
        },
      ]
    : [];

const problemsOf = (path: string, trigger: DocumentedRoute['trigger']): readonly number[] => {
  const { auth, body, method, errorForm, problems = [] } = trigger;
  // RFC 6749 has no 409 and no 422: a token request that breaks a rule is 400.
  const ofBody = errorForm === 'oauth' ? [413, 415] : [413, 415, 422];
  const all = [
    400,
    ...(auth === 'token' ? [401] : []),
    ...(auth === 'token' && path.includes('{') ? [404] : []),
    ...(method === 'GET' || errorForm === 'oauth' ? [] : [409]),
    ...(body ? ofBody : []),
    429,
    500,
    503,
    ...problems,
  ];
  return [...new Set(all)].toSorted((a, b) => a - b);
};

/** The OpenAPI 3.1 document of the routes. */
export const openApiDocument = (
  routes: readonly DocumentedRoute[],
  baseUrl: string,
): Readonly<Record<string, unknown>> => {
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas: Record<string, unknown> = { Problem: problemSchema, OAuthError: oauthErrorSchema };
  for (const operation of operationsOf(routes)) {
    const { name, path, method, body, answer } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation) };
    Object.assign(schemas, referredTo(body, bodyName(name)), referredTo(answer, answerName(name)));
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidemark',
      version: '1',
      description: 'Customer profiles: imports, one profile per person, segments and exports.',
    },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas,
    },
  };
};

const operationObject = (operation: Operation): Readonly<Record<string, unknown>> => ({
  operationId: operation.name,
  summary: operation.summary,
  ...(operation.aliases.length > 0 ? { description: `Also at ${operation.aliases.join(' and ')}.` } : {}),
  ...(operation.internal ? { 'x-internal': true } : {}),
  security: operation.needsToken ? [{ token: [] }] : [],
  parameters: operation.parameters,
  ...(operation.body
    ? { requestBody: { required: true, content: bodyContent(operation.body, operation.bodyTypes) } }
    : {}),
  responses: Object.fromEntries([
    ...operation.statuses.map((status) => [
      String(status),
      { description: 'Success', ...contentOf(operation) },
    ]),
    ...operation.problems.map((status) => [String(status), problemResponse(status, operation.errorForm)]),
  ]),
});

const bodyContent = (full: JsonSchema, others: readonly string[]): object => ({
  'application/json': { schema: withoutDefs(full) },
  ...Object.fromEntries(others.map((type) => [type, { schema: text }])),
});

const withoutDefs = (full: JsonSchema): JsonSchema => {
  const schema = { ...full };
  delete schema.$defs;
  return schema;
};

/** The content of a successful answer: a schema for JSON, otherwise text. */
const contentOf = ({ mediaTypes, answer }: Operation): object =>
  mediaTypes.length === 0
    ? {}
    : {
        content: Object.fromEntries(
          mediaTypes.map((type) => [
            type,
            { schema: type === 'application/json' && answer ? withoutDefs(answer) : text },
          ]),
        ),
      };

const problemResponse = (status: number, form: ErrorForm): unknown => ({
  description: problemMeanings[status],
  content: errorContents[form],
});

const errorContents = {
  problem: { 'application/problem+json': { schema: { $ref: `${COMPONENTS}Problem` } } },
  oauth: { 'application/json': { schema: { $ref: `${COMPONENTS}OAuthError` } } },
} as const;

const text: JsonSchema = { type: 'string' };

/** The error body of RFC 6749, section 5.2. */
const oauthErrorSchema: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: { error: text, error_description: text },
};

/** The problem of RFC 9457, with our members `code`, `request_id` and `errors`. */
const problemSchema: JsonSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'detail', 'request_id'],
  properties: {
    type: text,
    title: text,
    status: { type: 'integer' },
    code: text,
    detail: text,
    request_id: text,
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'code', 'detail'],
        properties: { pointer: text, code: text, detail: text },
      },
    },
  },
};
