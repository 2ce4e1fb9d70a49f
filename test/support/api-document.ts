/** API document of the tests: finds the operation of an exchange in `openapi.json`, and what the document promises for it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const anyObject = v.record(v.string(), v.unknown());
const media = v.record(v.string(), v.looseObject({ schema: v.optional(anyObject) }));
const responseShape = v.looseObject({
  $ref: v.optional(v.string()),
  content: v.optional(media, {}),
  headers: v.optional(anyObject, {}),
});
const parameterShape = v.looseObject({
  $ref: v.optional(v.string()),
  name: v.optional(v.string(), ''),
  in: v.optional(v.string(), ''),
  required: v.optional(v.boolean(), false),
  schema: v.optional(anyObject, {}),
});
const operationShape = v.looseObject({
  operationId: v.string(),
  parameters: v.optional(v.array(parameterShape), []),
  requestBody: v.optional(v.looseObject({ content: media })),
  responses: v.record(v.string(), responseShape),
  'x-also-at': v.optional(v.array(v.string()), []),
  'x-error-codes': v.optional(v.array(v.string()), []),
});
const documentShape = v.looseObject({
  paths: v.record(v.string(), v.record(v.string(), operationShape)),
  components: v.looseObject({
    schemas: v.record(v.string(), anyObject),
    responses: v.optional(v.record(v.string(), responseShape), {}),
    parameters: v.optional(v.record(v.string(), parameterShape), {}),
  }),
});

/** A response, as the document describes it. */
export interface DescribedResponse {
  readonly content: v.InferOutput<typeof media>;
  /** Names of the headers, in lower case. */
  readonly headers: ReadonlySet<string>;
}

/** An operation of the document. */
export interface DescribedOperation {
  readonly id: string;
  readonly codes: ReadonlySet<string>;
  readonly parameters: readonly v.InferOutput<typeof parameterShape>[];
  readonly bodies: v.InferOutput<typeof media>;
  readonly responses: ReadonlyMap<number, DescribedResponse>;
}

/** The document of the repository: the operations by route key, and the named schemas. */
export interface ApiDocument {
  readonly operations: ReadonlyMap<string, DescribedOperation>;
  readonly schemas: Readonly<Record<string, unknown>>;
}

/** Reads the document of the repository. */
export const readApiDocument = (): ApiDocument => {
  const text = readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8');
  const { paths, components } = v.parse(documentShape, JSON.parse(text));
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const described = describe(operation, components);
      return [path, ...operation['x-also-at']].map(
        (place) => [`${method.toUpperCase()} ${place}`, described] as const,
      );
    }),
  );
  return { operations: new Map(operations), schemas: components.schemas };
};

type Components = v.InferOutput<typeof documentShape>['components'];

const describe = (
  operation: v.InferOutput<typeof operationShape>,
  { responses, parameters }: Components,
): DescribedOperation => ({
  id: operation.operationId,
  codes: new Set(operation['x-error-codes']),
  parameters: operation.parameters.map((given) => referred(parameters, given)),
  bodies: operation.requestBody?.content ?? {},
  responses: new Map(
    Object.entries(operation.responses).map(([status, given]) => {
      const { content, headers } = referred(responses, given);
      const names = Object.keys(headers).map((name) => name.toLowerCase());
      return [Number(status), { content, headers: new Set(names) }];
    }),
  ),
});

/** A part of the document, or the named part that it refers to. */
const referred = <Part extends { readonly $ref?: string | undefined }>(
  named: Readonly<Record<string, Part>>,
  part: Part,
): Part => {
  const found = named[part.$ref?.split('/').at(-1) ?? ''];
  if (part.$ref !== undefined && !found) throw new Error(`openapi.json: ${part.$ref} is missing`);
  return found ?? part;
};
