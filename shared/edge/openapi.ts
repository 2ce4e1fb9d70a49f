/** Operations: what the reference page shows of each route, derived from its schemas. */
import { toJsonSchema, type JsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';

/** The part of a route's manifest entry that the page shows. `paths` has the address, then its aliases. */
interface DocumentedRoute {
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

/** A route as the page shows it. */
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
  const { auth, body, method, errorForm } = trigger;
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
  ];
  return [...new Set(all)].toSorted((a, b) => a - b);
};
