/** Schema places: finds the schemas that judge one place of a value, and what they say about it. */
import type * as v from 'valibot';
import { isObject } from './json.ts';

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
export const isPipe = (part: unknown): part is Part => isObject(part) && Array.isArray(part['pipe']);

const childrenOf = ({ entries, item, value, type }: Part, key: unknown): readonly unknown[] => {
  if (isObject(entries)) return typeof key === 'string' && Object.hasOwn(entries, key) ? [entries[key]] : [];
  return type === 'record' ? [value] : [item];
};

/** Whether a schema makes its inner schema on demand. */
export const isGetter = (value: unknown): value is (input: unknown) => unknown => typeof value === 'function';

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
