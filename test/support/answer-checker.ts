/** Answer checker: compares each exchange of a running service with `openapi.json`, and collects the differences. */
import { gunzipSync } from 'node:zlib';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as v from 'valibot';
import { manifest } from '../../functions/manifest.ts';
import type { Exchange } from '../../local/http-api/server.ts';
import { withoutReadOnly } from '../../shared/edge/read-only.ts';
import { isObject } from '../../shared/http/json.ts';
import { closed } from './closed-schema.ts';
import { type ApiDocument, type DescribedOperation, readApiDocument } from './api-document.ts';

/** Headers of every HTTP answer, and headers that only browsers read. */
const unnamed = new Set([
  'content-type',
  'cache-control',
  'content-encoding',
  'content-security-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'vary',
  'x-content-type-options',
]);

/** Most differences that are reported for one service. */
const MOST = 40;

const coded = v.object({ code: v.string() });
const oauth = v.object({ error: v.string() });

/** Compares exchanges with the document. */
export interface AnswerChecker {
  readonly onExchange: (exchange: Exchange) => void;
  /** The differences so far: a line each, the same difference once. */
  differences(): readonly string[];
}

/** A checker for one service. */
export const answerChecker = (document: ApiDocument = readApiDocument()): AnswerChecker => {
  const validators = validatorsOf(document);
  const found = new Set<string>();
  const check = (exchange: Exchange): readonly string[] => {
    const operation = operationOf(document, exchange.route);
    if (!operation) return exchange.route === '$default' ? [] : ['is not in the document'];
    return [
      ...answerFaults(validators, operation, exchange),
      ...requestFaults(validators, operation, exchange),
    ];
  };
  return {
    onExchange: (exchange) => {
      if (found.size >= MOST) return;
      for (const fault of check(exchange))
        found.add(`${exchange.route} → ${exchange.answer.status}: ${fault}`);
    },
    differences: () => [...found],
  };
};

/** The operation of a route; a HEAD is described by its GET. */
const operationOf = ({ operations }: ApiDocument, route: string): DescribedOperation | undefined =>
  operations.get(route.replace(/^HEAD /, 'GET '));

/** Finds the first fault of a value by a schema of the document; `undefined` for a valid value. */
type Validate = (schema: Readonly<Record<string, unknown>>, value: unknown) => string | undefined;

/** Validators with the schemas of the document. They are compiled at their first use. */
export const validatorsOf = ({ schemas }: ApiDocument): Validate => {
  const ajv = new Ajv2020({ strict: false, allErrors: false, discriminator: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'openapi', components: { schemas: closed(schemas) } });
  const compiled = new WeakMap<object, ValidateFunction>();
  return (schema, value) => {
    const validate = compiled.get(schema) ?? ajv.compile(absolute(closed(schema)));
    compiled.set(schema, validate);
    if (validate(value)) return undefined;
    const [error] = validate.errors ?? [];
    return `${error?.instancePath ?? ''} ${error?.message ?? ''} ${JSON.stringify(error?.params).slice(0, 200)}`;
  };
};

/** A schema whose references name the document. */
const absolute = (schema: object): object => {
  const copy: unknown = JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"openapi#/'));
  return typeof copy === 'object' && copy !== null ? copy : {};
};

/**
 * The part of an accepted body that the document describes: without the members that the service ignores, and without the
 * records of a batch, which the service accepts whatever they are.
 */
const documentedPart = (operation: string, body: unknown): unknown => {
  const trigger = manifest[operation]?.trigger;
  if (!isObject(body) || trigger?.kind !== 'http') return body;
  const known = withoutReadOnly(body, trigger.shownOnly);
  return trigger.judgedApart === undefined ? known : { ...known, [trigger.judgedApart]: [{}] };
};

const typeOf = (contentType: string | undefined): string =>
  (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const answerFaults = (
  validate: Validate,
  { codes, responses }: DescribedOperation,
  { method, answer: { status, headers, body } }: Exchange,
): readonly string[] => {
  const described = responses.get(status);
  if (!described) return [`the status is not documented: ${body.toString('utf8', 0, 200)}`];
  const faults = headers.flatMap(([name]) =>
    unnamed.has(name) || described.headers.has(name) ? [] : [`the header ${name} is not documented`],
  );
  const isEmpty = body.length === 0;
  const types = Object.keys(described.content);
  if (isEmpty && types.length > 0 && method !== 'HEAD') faults.push('the answer has no body');
  if (isEmpty) return faults;
  const type = typeOf(headers.find(([name]) => name === 'content-type')?.[1]);
  const content = described.content[type];
  if (!content) return [...faults, `the media type ${type} is not documented`];
  if (!/[/+]json$/.test(type)) return faults;
  const value: unknown = JSON.parse(decoded(headers, body).toString('utf8'));
  const broken = content.schema && validate(content.schema, value);
  if (broken !== undefined) faults.push(`the body breaks the schema: ${broken}`);
  return status < 400 ? faults : [...faults, ...codeFaults(codes, value)];
};

/** The body without its content coding. */
const decoded = (headers: Exchange['answer']['headers'], body: Buffer): Buffer =>
  headers.some(([name, value]) => name === 'content-encoding' && value === 'gzip') ? gunzipSync(body) : body;

const codeFaults = (codes: ReadonlySet<string>, value: unknown): readonly string[] => {
  const problem = v.safeParse(coded, value);
  const error = v.safeParse(oauth, value);
  const code = problem.success ? problem.output.code : error.success ? error.output.error : '';
  return codes.has(code) ? [] : [`the code ${code} is not documented`];
};

/** The faults of a request that the service has accepted: the document must accept it, too. */
const requestFaults = (
  validate: Validate,
  { id, parameters, bodies }: DescribedOperation,
  { target, contentType, sent, answer }: Exchange,
): readonly string[] => {
  if (answer.status >= 300) return [];
  const names = [...new URL(target, 'http://localhost').searchParams.keys()];
  const known = new Set(parameters.flatMap((one) => (one.in === 'query' ? [one.name] : [])));
  const faults = names.flatMap((name) =>
    known.has(name) ? [] : [`the parameter ${name} is not documented`],
  );
  if (sent.length === 0) return faults;
  const type = typeOf(contentType);
  const body = bodies[type];
  if (Object.keys(bodies).length === 0) return faults;
  if (!body) return [...faults, `a body of ${type} is accepted, but not documented`];
  if (type !== 'application/json' || !body.schema) return faults;
  const broken = validate(
    body.schema,
    documentedPart(id, JSON.parse(sent.toString('utf8').replace(/^\ufeff/, ''))),
  );
  return broken === undefined ? faults : [...faults, `the accepted body breaks the schema: ${broken}`];
};
