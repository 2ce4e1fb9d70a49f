/** Document: reads an OpenAPI document into the parts that the reference page shows. References to parts are followed. */
import * as v from 'valibot';

/** The JSON Schema of a value, as far as the page shows it. */
export interface Shape {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Shape;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
  /** A sentence for each value of `enum`. */
  readonly 'x-enum-descriptions'?: readonly string[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const text = v.exactOptional(v.string());
const bound = v.exactOptional(v.number());
const shapes = v.lazy(() => shape);
const anything = v.exactOptional(v.unknown());

const shape: v.GenericSchema<Shape> = v.object({
  $ref: text,
  description: text,
  type: v.exactOptional(v.union([v.string(), v.array(v.string())])),
  format: text,
  properties: v.exactOptional(v.record(v.string(), shapes)),
  required: v.exactOptional(v.array(v.string())),
  additionalProperties: v.exactOptional(v.union([v.boolean(), shapes])),
  items: v.exactOptional(shapes),
  anyOf: v.exactOptional(v.array(shapes)),
  oneOf: v.exactOptional(v.array(shapes)),
  enum: v.exactOptional(v.array(v.unknown())),
  'x-enum-descriptions': v.exactOptional(v.array(v.string())),
  const: anything,
  default: anything,
  minimum: bound,
  maximum: bound,
  minLength: bound,
  maxLength: bound,
  minItems: bound,
  maxItems: bound,
});

const contents = v.optional(
  v.record(v.string(), v.object({ schema: v.exactOptional(shape), example: anything })),
  {},
);

const parameter = v.object({
  name: v.string(),
  in: v.string(),
  description: text,
  required: v.optional(v.boolean(), false),
  schema: shape,
  example: anything,
});

const header = v.object({ description: text, schema: v.exactOptional(shape) });
const reference = v.object({ $ref: v.string() });
const orReference = <Schema extends v.GenericSchema>(schema: Schema) => v.union([reference, schema]);
const records = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.optional(v.record(v.string(), schema), {});

const answer = v.object({
  description: v.string(),
  content: contents,
  headers: records(orReference(header)),
});

const operation = v.object({
  operationId: text,
  summary: v.string(),
  description: text,
  tags: v.optional(v.array(v.string()), []),
  security: v.exactOptional(v.array(v.unknown())),
  parameters: v.optional(v.array(orReference(parameter)), []),
  requestBody: v.exactOptional(v.object({ description: text, content: contents })),
  responses: records(orReference(answer)),
  'x-permission': text,
  'x-also-at': v.optional(v.array(v.string()), []),
  'x-error-codes': v.optional(v.array(v.string()), []),
  'x-example': v.optional(v.object({ path: records(v.unknown()), query: records(v.unknown()) }), {}),
});

const documentSchema = v.object({
  info: v.object({ title: v.string(), description: v.optional(v.string(), '') }),
  servers: v.array(v.object({ url: v.string() })),
  tags: v.array(v.object({ name: v.string(), description: v.optional(v.string(), '') })),
  paths: v.record(v.string(), v.record(v.string(), operation)),
  webhooks: records(v.record(v.string(), operation)),
  components: v.object({
    parameters: records(parameter),
    responses: records(answer),
    headers: records(header),
    schemas: records(shape),
  }),
});

/** A parameter of an operation, in its path, its query or its headers. */
export type Parameter = v.InferOutput<typeof parameter>;

/** A body of a request or an answer in one media type. */
export interface Content {
  readonly mediaType: string;
  readonly shape?: Shape;
  readonly example?: unknown;
}

/** An answer of an operation. */
export interface Answer {
  readonly status: number;
  readonly description: string;
  readonly contents: readonly Content[];
  readonly headers: readonly { readonly name: string; readonly description: string }[];
}

/** An operation, or a webhook that the service calls. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** The path template; the name of the event in place of it for a webhook. */
  readonly path: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  readonly needsToken: boolean;
  /** The permission that the token needs, if it needs one. */
  readonly permission?: string;
  readonly parameters: readonly Parameter[];
  readonly bodies: readonly Content[];
  readonly answers: readonly Answer[];
  readonly errorCodes: readonly string[];
}

/** What the reference page shows. */
export interface Api {
  readonly title: string;
  readonly description: string;
  readonly baseUrl: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly operations: readonly Operation[];
  readonly webhooks: readonly Operation[];
  readonly models: Readonly<Record<string, Shape>>;
}

type Document = v.InferOutput<typeof documentSchema>;

/** The parts of an OpenAPI 3.1 document. @throws ValiError when it is not one, or lacks what the page needs. */
export const apiOf = (json: unknown): Api => {
  const document = v.parse(documentSchema, json);
  const { info, servers, tags, paths, webhooks, components } = document;
  const read = (all: Document['paths']): readonly Operation[] =>
    Object.entries(all).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => operationOf(document, path, method, one)),
    );
  return {
    title: info.title,
    description: info.description,
    baseUrl: servers[0]?.url ?? '',
    tags,
    operations: read(paths),
    webhooks: read(webhooks),
    models: components.schemas,
  };
};

const operationOf = (
  { components }: Document,
  path: string,
  method: string,
  one: v.InferOutput<typeof operation>,
): Operation => ({
  id: one.operationId ?? path,
  method: method.toUpperCase(),
  path,
  aliases: one['x-also-at'],
  summary: one.summary,
  description: one.description === `${one.summary}.` ? '' : (one.description ?? ''),
  tag: one.tags[0] ?? '',
  needsToken: one.security?.length !== 0,
  ...(one['x-permission'] === undefined ? {} : { permission: one['x-permission'] }),
  parameters: one.parameters.map((part) => {
    const found = resolved(components.parameters, part);
    const example = { ...one['x-example'].path, ...one['x-example'].query }[found.name] ?? found.example;
    return example === undefined ? found : { ...found, example };
  }),
  bodies: contentsOf(one.requestBody?.content ?? {}),
  answers: Object.entries(one.responses).map(([status, part]) => {
    const { description, content, headers } = resolved(components.responses, part);
    return {
      status: Number(status),
      description,
      contents: contentsOf(content),
      headers: Object.entries(headers).map(([name, given]) => ({
        name,
        description: resolved(components.headers, given).description ?? '',
      })),
    };
  }),
  errorCodes: one['x-error-codes'],
});

/** The part itself, or the shared part that it refers to. @throws Error when there is none. */
const resolved = <Part extends object>(
  shared: Readonly<Record<string, Part>>,
  part: Part | v.InferOutput<typeof reference>,
): Part => {
  if (!('$ref' in part)) return part;
  const found = shared[nameOf(part.$ref)];
  if (found === undefined) throw new Error(`OpenAPI: nothing at ${part.$ref}`);
  return found;
};

/** The name of a model, or of another shared part, in a reference to it. */
export const nameOf = (to: string): string => to.slice(to.lastIndexOf('/') + 1);

const contentsOf = (content: v.InferOutput<typeof contents>): readonly Content[] =>
  Object.entries(content).map(([mediaType, { schema, example }]) => ({
    mediaType,
    ...(schema === undefined ? {} : { shape: schema }),
    ...(example === undefined ? {} : { example }),
  }));
