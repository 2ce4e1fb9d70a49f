/** Example request: the call of an operation that all its samples show. */
import { nameOf, type Api, type Operation, type Parameter, type Shape } from './document.ts';

/**
 * The property of a sample stands between two of these, so that the page can put the reader's property in its place. No
 * JSON text escapes this character.
 */
export const MARK = '\uE000';

/** The values of parameters by their names. */
type Values = Readonly<Record<string, unknown>>;

/** A call of an operation, with the values that its samples give it. */
export interface ExampleRequest {
  readonly id: string;
  readonly method: string;
  readonly baseUrl: string;
  readonly url: string;
  readonly needsToken: boolean;
  /** The property in the path, if there is one. It is not in `path`. */
  readonly property?: unknown;
  readonly path: Values;
  /** The query of a client, which reads a list whole: without the size of a page, which is one or two in examples. */
  readonly filters: Values;
  readonly body?: unknown;
  /** Whether the answer comes in pages. */
  readonly isList: boolean;
}

/** The example request of an operation. */
export const requestOf = (
  api: Api,
  { id, method, path, parameters, bodies, needsToken }: Operation,
): ExampleRequest => {
  const inPath = parameters.filter((one) => one.in === 'path');
  const filled = inPath.reduce((text, one) => text.replace(`{${one.name}}`, () => pathValue(one)), path);
  const inQuery = parameters.filter((one) => one.in === 'query');
  const given = inQuery.filter((one) => one.required || one.example !== undefined);
  const query = given.map((one) => `${one.name}=${queryValue(valueOf(one))}`);
  const json = bodies.find(({ mediaType }) => mediaType === 'application/json');
  const body = json && (json.example ?? (json.shape ? exampleOf(api, json.shape) : undefined));
  const property = inPath.find(isProperty);
  const isList = inQuery.some(({ name }) => name === 'cursor' || name === 'page');
  return {
    id,
    method,
    baseUrl: api.baseUrl,
    url: `${api.baseUrl}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    needsToken,
    ...(property === undefined ? {} : { property: valueOf(property) }),
    path: valuesOf(inPath.filter((one) => !isProperty(one))),
    filters: valuesOf(isList ? given.filter(({ name }) => name !== 'limit') : given),
    ...(body === undefined ? {} : { body }),
    isList,
  };
};

const isProperty = ({ name }: Parameter): boolean => name === 'property_id';

const valueOf = ({ name, example }: Parameter): unknown => example ?? name.toUpperCase();

const valuesOf = (parameters: readonly Parameter[]): Values =>
  Object.fromEntries(parameters.map((one) => [one.name, valueOf(one)]));

const pathValue = (one: Parameter): string => {
  const value = encodeURIComponent(wordsOf(valueOf(one)));
  return isProperty(one) ? `${MARK}${value}${MARK}` : value;
};

/** A value in a query. Commas separate the entries of a list. */
const queryValue = (value: unknown): string =>
  (Array.isArray(value) ? value : [value]).map((entry) => encodeURIComponent(wordsOf(entry))).join(',');

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The smallest value that a shape takes: the members that it requires, and one item for each list that needs one. */
const exampleOf = (api: Api, shape: Shape): unknown => {
  if (shape.$ref !== undefined) return exampleOf(api, api.models[nameOf(shape.$ref)] ?? {});
  const { const: only, enum: values, properties = {}, required = [], items, minItems = 0 } = shape;
  if (only !== undefined) return only;
  if (values) return values[0];
  const [option] = shape.anyOf ?? shape.oneOf ?? [];
  if (option) return exampleOf(api, option);
  if (items) return minItems > 0 ? [exampleOf(api, items)] : [];
  if (shape.type === 'object')
    return Object.fromEntries(required.map((name) => [name, exampleOf(api, properties[name] ?? {})]));
  return scalars[typeof shape.type === 'string' ? shape.type : 'string'] ?? '…';
};

const scalars: Readonly<Record<string, unknown>> = { integer: 1, number: 1, boolean: true };
