/** Reads the API document for the generators of the clients. */
import * as v from 'valibot';

/** A JSON Schema, as far as the clients differ by it. */
export interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
  readonly items?: Schema | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: boolean | Schema | undefined;
}

const schema: v.GenericSchema<unknown, Schema> = v.looseObject({
  $ref: v.optional(v.string()),
  type: v.optional(v.union([v.string(), v.array(v.string())])),
  description: v.optional(v.string()),
  const: v.optional(v.unknown()),
  enum: v.optional(v.array(v.unknown())),
  anyOf: v.optional(v.lazy(() => v.array(schema))),
  oneOf: v.optional(v.lazy(() => v.array(schema))),
  items: v.optional(v.lazy(() => schema)),
  properties: v.optional(v.lazy(() => v.record(v.string(), schema))),
  required: v.optional(v.array(v.string())),
  additionalProperties: v.optional(v.union([v.boolean(), v.lazy(() => schema)])),
});

const parameter = v.looseObject({
  name: v.string(),
  in: v.string(),
  required: v.optional(v.boolean()),
  schema: v.optional(schema),
});
export type Parameter = v.InferOutput<typeof parameter>;

const media = v.looseObject({ schema: v.optional(schema), example: v.optional(v.unknown()) });

const response = v.looseObject({
  content: v.optional(v.record(v.string(), media)),
});
type Response = v.InferOutput<typeof response>;

const operation = v.looseObject({
  operationId: v.string(),
  summary: v.string(),
  description: v.optional(v.string()),
  security: v.optional(v.array(v.unknown())),
  'x-permission': v.optional(v.string()),
  parameters: v.optional(v.array(v.union([v.looseObject({ $ref: v.string() }), parameter]))),
  requestBody: v.optional(
    v.looseObject({
      required: v.optional(v.boolean()),
      content: v.record(v.string(), media),
    }),
  ),
  responses: v.record(v.string(), response),
});
type Operation = v.InferOutput<typeof operation>;

const document = v.looseObject({
  paths: v.record(v.string(), v.record(v.string(), operation)),
  webhooks: v.record(v.string(), v.looseObject({ post: v.pick(operation, ['requestBody']) })),
  components: v.looseObject({
    schemas: v.record(v.string(), schema),
    parameters: v.optional(v.record(v.string(), parameter), {}),
    securitySchemes: v.looseObject({
      token: v.looseObject({ 'x-scopes': v.record(v.string(), v.string()) }),
    }),
  }),
});
export type Document = v.InferOutput<typeof document>;

/** The API document in a text (JSON). */
export const documentOf = (json: string): Document =>
  v.parse(v.pipe(v.string(), v.parseJson(), document), json);

/** An operation of a client. */
export interface Entry {
  readonly name: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Operation['requestBody'];
  /** The schema of each media type of a successful answer. */
  readonly content: Readonly<Record<string, Schema>>;
  readonly token: boolean;
  readonly keyed: boolean;
  readonly answer: 'json' | 'text' | 'none';
  /** The member of a page with the items, for a list in pages. */
  readonly items: string | null | undefined;
  /** How a DELETE that answers only the id at the end of its path writes this id. */
  readonly deletes: 'string' | 'number' | undefined;
  /** The permission that a call needs. */
  readonly permission: string | undefined;
}

/** The operations of a document. */
export const entriesOf = (full: Document): readonly Entry[] =>
  Object.entries(full.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, each]) => entryOf(full, path, method, each)),
  );

const entryOf = (full: Document, path: string, method: string, each: Operation): Entry => {
  const parameters = parametersOf(full, each);
  const content = contentOf(successes(each.responses).map(([, found]) => found));
  const json = content['application/json'];
  const isPaged = parameters.some((one) => one.in === 'query' && /^(cursor|page)$/.test(one.name));
  return {
    name: each.operationId,
    summary: each.summary,
    description: each.description,
    method: method.toUpperCase(),
    path,
    parameters,
    body: each.requestBody,
    content,
    token: each.security === undefined || each.security.length > 0,
    permission: each['x-permission'],
    keyed: parameters.some((one) => one.in === 'header' && one.name.toLowerCase() === 'idempotency-key'),
    answer: answerOf(Object.keys(content)),
    items: isPaged && json ? itemsOf(resolved(full, json), full) : undefined,
    deletes: method === 'delete' && json ? deletedId(path, resolved(full, json)) : undefined,
  };
};

/** The first schema of each media type. */
const contentOf = (answers: readonly Response[]): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    answers
      .flatMap(({ content = {} }) => Object.entries(content))
      .toReversed()
      .map(([type, found]) => [type, found.schema ?? {}]),
  );

const parametersOf = (full: Document, { parameters = [] }: Operation): readonly Parameter[] =>
  parameters.flatMap((one) => {
    if (v.is(parameter, one)) return [one];
    return full.components.parameters[nameIn(one.$ref)] ?? [];
  });

/** The last part of a reference. */
export const nameIn = (reference: string): string => reference.split('/').at(-1) ?? '';

const answerOf = (types: readonly string[]): Entry['answer'] => {
  if (types.includes('application/json')) return 'json';
  return types.length > 0 ? 'text' : 'none';
};

/** The name of the only list of a page; `''` if the page is the list; `null` if it has several lists. */
const itemsOf = (page: Schema, full: Document): string | null => {
  if (page.type === 'array') return '';
  const lists = Object.entries(page.properties ?? {}).flatMap(([name, member]) =>
    resolved(full, member).type === 'array' ? [name] : [],
  );
  return lists.length === 1 ? (lists[0] ?? null) : null;
};

/** How the answer writes the id at the end of the path, if a DELETE answers nothing else. */
const deletedId = (path: string, { properties = {} }: Schema): Entry['deletes'] => {
  const { id, ...others } = properties;
  if (!path.endsWith('}') || !id || Object.keys(others).length > 0) return undefined;
  return id.type === 'string' ? 'string' : 'number';
};

/** A schema, or the one to which it refers. */
export const resolved = (full: Document, found: Schema): Schema => {
  const target = found.$ref === undefined ? undefined : full.components.schemas[nameIn(found.$ref)];
  return target ? resolved(full, target) : found;
};

/** The successful answers. A redirect is followed by the client, so it counts only where it is the only success. */
export const successes = (
  responses: Readonly<Record<string, Response>>,
): readonly (readonly [string, Response])[] => {
  const found = Object.entries(responses).filter(([status]) => /^[23]/.test(status));
  const direct = found.filter(([status]) => status.startsWith('2'));
  return direct.length > 0 ? direct : found;
};
