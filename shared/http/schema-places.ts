/** Schema places: finds the schemas that judge one place of a value, and what they say about it: bounds, fields, an example. */
import * as v from 'valibot';
import { isObject } from './json.ts';
import { idSchema } from './text.ts';

/** A schema or an action of the schema library, read as data. */
export type Part = Readonly<Record<string, unknown>>;

/** The step from a value to one of its members. */
interface Step {
  readonly key: unknown;
  /** The value that holds the member. */
  readonly input: unknown;
}

/**
 * The schemas and actions at a place: those of every shape that a union, an optional field or a list admits there. A fault
 * reports one of them, and these tell the rest of the rule.
 */
export const partsAt = (schema: v.GenericSchema, path: readonly Step[], input: unknown): readonly Part[] =>
  path.reduce<readonly Part[]>(
    (parts, { key }, index) => {
      const member = path[index + 1]?.input ?? input;
      return parts.flatMap((part) => childrenOf(part, key)).flatMap((child) => opened(child, member));
    },
    opened(schema, path[0]?.input ?? input),
  );

/** The names of the fields that the schemas at a place know. */
export const knownFields = (parts: readonly Part[]): readonly string[] => [
  ...new Set(parts.flatMap(({ entries }) => (isObject(entries) ? Object.keys(entries) : []))),
];

/** The bound that an action such as `max_value` sets at a place; undefined without one. */
export const boundAt = (parts: readonly Part[], type: string): number | undefined => {
  const requirement = parts.find((part) => part['type'] === type)?.['requirement'];
  return typeof requirement === 'number' ? requirement : undefined;
};

/** Whether a schema or action of this type is at a place. */
export const hasPart = (parts: readonly Part[], type: string): boolean =>
  parts.some((part) => part['type'] === type);

/** A schema, and the schemas and actions in it that judge the same place. */
const opened = (schema: unknown, input: unknown): readonly Part[] => {
  if (!isObject(schema)) return [];
  const { pipe, wrapped, options, getter } = schema;
  const [first, ...actions] = listOf(pipe);
  // A pipe has the properties of its first part, except for the pipe of that part.
  if (isPipe(first)) return [first, ...actions].flatMap((part) => opened(part, input));
  const deferred = isGetter(getter) ? getter(input) : undefined;
  const inner = [...actions, wrapped, deferred, ...listOf(options)];
  return [schema, ...inner.flatMap((part) => opened(part, input))];
};

/** Whether a part of a pipe is a pipe too. */
const isPipe = (part: unknown): part is Part => isObject(part) && Array.isArray(part['pipe']);

const childrenOf = ({ entries, item, value, type }: Part, key: unknown): readonly unknown[] => {
  if (isObject(entries)) return typeof key === 'string' && Object.hasOwn(entries, key) ? [entries[key]] : [];
  return type === 'record' ? [value] : [item];
};

/** Whether a schema makes its inner schema on demand. */
export const isGetter = (value: unknown): value is (input: unknown) => unknown => typeof value === 'function';

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const PLURAL = 'plural';

/** Names the elements of a list for the sentence of a fault: `segment ids`. For the pipe of an element's schema. */
export const plural = <T>(words: string): v.MetadataAction<T, { readonly plural: string }> =>
  v.metadata({ [PLURAL]: words });

/** A longer example would hide the sentence. */
const MAX_CHARACTERS = 100;

/** An example of what the schemas at a place take, as JSON on one line; undefined when the schemas do not know one. */
export const exampleAt = (parts: readonly Part[]): string | undefined => {
  const known = parts.filter(({ type }) => type === 'array' || type === 'strict_object' || type === 'object');
  const examples = known.map(exampleOf).filter((example) => example !== undefined);
  return examples.map(printed).find((text) => text.length <= MAX_CHARACTERS);
};

/** The words for the elements of the lists that the schemas at a place take. */
export const elementsAt = (parts: readonly Part[]): string | undefined => {
  const items = parts.flatMap(({ type, item }) => (type === 'array' && isObject(item) ? [item] : []));
  return items.flatMap((item) => pluralOf(item) ?? [])[0];
};

const pluralOf = (schema: Part): string | undefined =>
  partsOf(schema).flatMap((part) => {
    const { metadata } = part;
    if (isPipe(part)) return pluralOf(part) ?? [];
    return isObject(metadata) && typeof metadata[PLURAL] === 'string' ? [metadata[PLURAL]] : [];
  })[0];

const exampleOf = (schema: unknown): unknown => {
  if (!isObject(schema)) return undefined;
  if (schema === idSchema) return 1_001_000_000_088;
  const { type, pipe, wrapped, options, literal, item, entries, getter } = schema;
  if (Array.isArray(pipe) && isPipe(pipe[0])) return isFree(schema) ? exampleOf(pipe[0]) : undefined;
  switch (type) {
    case 'lazy':
      return isGetter(getter) ? exampleOf(getter(undefined)) : undefined;
    case 'literal':
      return literal;
    case 'picklist':
      return Array.isArray(options) ? options.find((option) => option !== '') : undefined;
    case 'union':
    case 'variant':
      return Array.isArray(options) ? exampleOf(options[0]) : undefined;
    case 'boolean':
      return true;
    case 'string':
      return isFree(schema) ? 'text' : undefined;
    case 'array': {
      const element = exampleOf(item);
      return element === undefined ? undefined : [element];
    }
    case 'strict_object':
    case 'object':
      return isObject(entries) ? objectOf(entries) : undefined;
    default:
      return exampleOf(wrapped);
  }
};

/** An object with the required fields. */
const objectOf = (entries: Part): unknown => {
  const required = Object.entries(entries).filter(
    ([, entry]) => isObject(entry) && !optional.has(entry['type']),
  );
  const fields = required.map(([name, entry]) => [name, exampleOf(entry)] as const);
  if (fields.length === 0 || fields.some(([, value]) => value === undefined)) return undefined;
  return Object.fromEntries(fields);
};

const optional: ReadonlySet<unknown> = new Set(['optional', 'exact_optional', 'nullish', 'undefinedable']);

/** Actions after which a schema of texts still takes any text of some length. */
const freeActions: ReadonlySet<unknown> = new Set(['min_length', 'max_length', 'metadata', 'description']);

/** Whether a schema takes any text of some length. */
const isFree = (schema: Part): boolean =>
  partsOf(schema)
    .slice(1)
    .every(({ type }) => freeActions.has(type));

const partsOf = ({ pipe, ...schema }: Part): readonly Part[] =>
  Array.isArray(pipe) ? pipe.filter(isObject) : [schema];

const printed = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map((element: unknown) => printed(element)).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${printed(member)}`,
  );
  return `{${members.join(', ')}}`;
};
