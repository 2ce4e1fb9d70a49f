/** Documented exchanges: says where a request or an answer differs from the API document. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as v from 'valibot';
import type { Exchange } from '../../functions/edge/openapi/examples.ts';

const content = v.record(v.string(), v.object({ schema: v.unknown() }));
const reference = v.object({ $ref: v.string() });
const parameter = v.object({
  name: v.string(),
  in: v.picklist(['path', 'query', 'header']),
  required: v.boolean(),
});
const response = v.object({ content: v.optional(content) });
const operation = v.looseObject({
  operationId: v.string(),
  parameters: v.optional(v.array(v.union([reference, parameter])), []),
  requestBody: v.optional(v.looseObject({ content })),
  responses: v.record(v.string(), v.union([reference, response])),
});
const documentSchema = v.looseObject({
  paths: v.record(v.string(), v.record(v.string(), operation)),
  components: v.looseObject({
    parameters: v.record(v.string(), parameter),
    responses: v.record(v.string(), response),
  }),
});

const name = 'openapi.json';
const text = readFileSync(join(import.meta.dirname, '../..', name), 'utf8');
const document = v.parse(v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown())), text);
const { paths, components } = v.parse(documentSchema, document);
// The keywords of OpenAPI around the schemas are unknown to JSON Schema.
const judge = addFormats.default(new Ajv2020({ strict: false, allErrors: true })).addSchema(document, name);

/** The pointers to the operations of the document, by their names. */
const places: ReadonlyMap<string, readonly [pointer: string, v.InferOutput<typeof operation>]> = new Map(
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, found]) => [found.operationId, [pointerTo('paths', path, method), found] as const] as const,
    ),
  ),
);

/** The names of all operations of the document. */
export const documentedOperations: readonly string[] = [...places.keys()];

/** The differences between an exchange and the document; none for an exchange as the document describes it. */
export const undocumented = (operationId: string, { request, answer }: Exchange): readonly string[] => {
  const [place = '', found] = places.get(operationId) ?? [];
  if (!found) return [`the document has no operation ${operationId}`];
  return [
    ...parameterFaults(place, found, request),
    ...bodyFaults(place, found, request),
    ...answerFaults(place, found, answer),
  ];
};

type Operation = v.InferOutput<typeof operation>;

const parameterFaults = (place: string, { parameters }: Operation, request: Exchange['request']) => {
  const shown = parameters.map((each, index) => {
    if (!('$ref' in each)) return { ...each, pointer: `${place}/parameters/${index}` };
    const pointer = each.$ref.slice(1);
    return { ...parameterAt(pointer), pointer };
  });
  const sent = { path: request.path ?? {}, query: request.query ?? {}, header: request.headers ?? {} };
  const known = new Set(shown.map((each) => `${each.in} ${each.name.toLowerCase()}`));
  const unknown = Object.entries(sent).flatMap(([kind, values]) =>
    Object.keys(values)
      .map((each) => `${kind} ${each.toLowerCase()}`)
      .filter((each) => !known.has(each))
      .map((each) => `undocumented: ${each}`),
  );
  const faults = shown.flatMap((each) => {
    const values = Object.entries(sent[each.in]);
    const value = values.find(([key]) => key.toLowerCase() === each.name.toLowerCase())?.[1];
    if (value === undefined) return each.required ? [`missing: ${each.name}`] : [];
    return faultsOf(`${each.pointer}/schema`, value, `${each.in} ${each.name}`);
  });
  return [...unknown, ...faults];
};

const parameterAt = (pointer: string): v.InferOutput<typeof parameter> => {
  const found = components.parameters[pointer.split('/').at(-1) ?? ''];
  if (!found) throw new Error(`The document has no parameter at ${pointer}.`);
  return found;
};

const JSON_TYPE = 'application/json';

const bodyFaults = (place: string, { requestBody }: Operation, { body }: Exchange['request']) => {
  if (body === undefined) return requestBody ? ['missing: the body'] : [];
  if (!requestBody) return ['undocumented: the body'];
  return faultsOf(`${place}/requestBody/content/${escaped(JSON_TYPE)}/schema`, body, 'body');
};

const answerFaults = (place: string, { responses }: Operation, answer: Exchange['answer']) => {
  const { status, headers = {}, body } = answer;
  const found = responses[String(status)];
  if (!found || '$ref' in found) return [`undocumented: success with status ${status}`];
  if (body === undefined) return found.content ? ['missing: the body of the answer'] : [];
  const type = headers['content-type']?.split(';')[0] ?? JSON_TYPE;
  if (!found.content || !(type in found.content)) return [`undocumented: an answer of ${type}`];
  return faultsOf(`${place}/responses/${status}/content/${escaped(type)}/schema`, body, 'answer');
};

const faultsOf = (pointer: string, value: unknown, what: string): readonly string[] => {
  const isValid = judge.compile({ $ref: `${name}#${pointer}` });
  if (isValid(value)) return [];
  return (isValid.errors ?? []).map(
    ({ instancePath, message, params }) => `${what}${instancePath} ${message} ${JSON.stringify(params)}`,
  );
};

/** A part of a JSON pointer in the fragment of an address. */
function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function pointerTo(...parts: readonly string[]): string {
  return parts.map((part) => `/${escaped(part)}`).join('');
}
