/**
 * Conversion: turns schemas into the JSON Schema of OpenAPI 3.1. The library converts types and bounds. This file puts
 * them together, because the library copies a model into each field with a sentence, where the document has a reference.
 */
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { isObject } from '../../../shared/http/json.ts';
import { isGetter } from '../../../shared/http/schema-places.ts';
import { isSchema, shownBy } from '../../../shared/http/described.ts';
import { either, orNull, refTo, type Json } from './json.ts';

/** A model: a schema that clients know by a name, and a sentence about it. */
export type Model = readonly [schema: v.GenericSchema, sentence: string];

/** A choice: the options of `picklist`s that clients know by a name, and a sentence about them. */
export type Choice = readonly [options: readonly string[], sentence: string];

/** What has a name in the document. */
export interface Named {
  readonly models: Readonly<Record<string, Model>>;
  readonly choices: Readonly<Record<string, Choice>>;
}

/** Converts schemas, with references to what has a name. It throws for a recursive schema without a name. */
export interface Converter {
  readonly convert: (schema: v.GenericSchema) => Json;
  /** The JSON Schemas of all models and choices, by name. */
  readonly named: () => Readonly<Record<string, Json>>;
}

/** A schema as the document shows it: its shape, and the actions that bound and describe the shape. */
interface Shape {
  readonly base: v.GenericSchema;
  readonly actions: readonly v.GenericPipeAction[];
}

/** The converter for a set of names. */
export const converterOf = ({ models, choices }: Named): Converter => {
  const names = new Map<unknown, string>([
    ...Object.entries(models).map(([name, [schema]]) => [opened(schema), name] as const),
    ...Object.entries(choices).map(([name, [options]]) => [options, name] as const),
  ]);

  const convert = (schema: v.GenericSchema): Json =>
    refIfNamed(names.get(opened(schema))) ?? convertShape(schema);

  const convertShape = (schema: v.GenericSchema): Json => {
    const { base, actions } = shapeOf(opened(schema), (part) => names.has(part));
    const shown = actions.map(shownBy).find((other) => other !== undefined);
    const named = refIfNamed(base === opened(schema) ? undefined : names.get(base));
    const json = (shown && convert(shown)) ?? named ?? convertBase({ base, actions });
    return { ...json, ...sentenceOf(actions) };
  };

  const convertBase = ({ base, actions }: Shape): Json => {
    const { item, value, key, wrapped, options, entries } = partsOf(base);
    if (isSchema(wrapped)) {
      const inner = convert(wrapped);
      return { ...(isNullable(base) ? orNull(inner) : inner), ...defaultOf(base, inner) };
    }
    if (base.type === 'union' || base.type === 'variant')
      return either(base.type, schemasOf(options).map(convert));
    const named = refIfNamed(names.get(options));
    if (named) return named;
    const bounds = boundsOf({ base, actions });
    if (isObject(entries)) return { ...bounds, ...membersOf(entries), ...closing(base) };
    if (isSchema(item)) return { ...bounds, items: convert(item) };
    if (isSchema(key) && isSchema(value))
      return { ...bounds, ...keysOf(convert(key)), additionalProperties: convert(value) };
    return bounds;
  };

  const membersOf = (entries: Readonly<Record<string, unknown>>): Json => {
    const shown = Object.entries(entries).flatMap(([name, entry]) =>
      isSchema(entry) && !isHidden(entry) ? [[name, entry] as const] : [],
    );
    const required = shown.flatMap(([name, { type }]) => (optional.has(type) ? [] : [name]));
    return {
      properties: Object.fromEntries(shown.map(([name, entry]) => [name, convert(entry)])),
      ...(required.length > 0 ? { required } : {}),
    };
  };

  return {
    convert,
    named: () => ({
      ...mapped(models, ([schema, sentence]) => ({ description: sentence, ...convertShape(schema) })),
      ...mapped(choices, ([options, sentence]) => ({ description: sentence, type: 'string', enum: options })),
    }),
  };
};

const mapped = <Value>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Json,
): Readonly<Record<string, Json>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

const refIfNamed = (name: string | undefined): Json | undefined =>
  name === undefined ? undefined : refTo(name);

/** The last schema of a pipe has the shape of its result. A named part of the pipe stays whole. */
const shapeOf = (
  schema: v.GenericSchema,
  isNamed: (part: v.GenericSchema) => boolean,
  after: Shape['actions'] = [],
): Shape => {
  const items = pipeOf(schema);
  const last = items.findLastIndex(isSchema);
  const inner = items[last];
  if (items.length < 2 || !isSchema(inner)) return { base: schema, actions: after };
  const actions = [...items.slice(last + 1).filter(isAction), ...after];
  const part = opened(inner);
  return isNamed(part) ? { base: part, actions } : shapeOf(part, isNamed, actions);
};

const isAction = (value: unknown): value is v.GenericPipeAction => isObject(value) && !isSchema(value);

const partsOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});

const pipeOf = (schema: unknown): readonly unknown[] => {
  const { pipe } = partsOf(schema);
  return Array.isArray(pipe) ? pipe : [schema];
};

const schemasOf = (value: unknown): readonly v.GenericSchema[] =>
  Array.isArray(value) ? value.filter(isSchema) : [];

/** The schema behind a schema that is made on demand: the general form, which needs no value to look at. */
const opened = (schema: v.GenericSchema): v.GenericSchema => {
  const { type, getter, pipe } = partsOf(schema);
  if (type !== 'lazy' || pipe !== undefined || !isGetter(getter)) return schema;
  const inner = getter(undefined);
  return isSchema(inner) ? opened(inner) : schema;
};

/** Schemas of fields that may be left out. */
const optional: ReadonlySet<string> = new Set(['optional', 'exact_optional', 'nullish', 'undefinedable']);

const isNullable = ({ type }: v.GenericSchema): boolean => type === 'nullable' || type === 'nullish';

/** Whether the document leaves a field out, because the service ignores it. */
const isHidden = (entry: v.GenericSchema): boolean => {
  const { wrapped } = partsOf(entry);
  return pipeOf(wrapped ?? entry).some((action) => shownBy(action)?.type === 'never');
};

const closing = ({ type }: v.GenericSchema): Json => {
  if (type === 'loose_object') return { additionalProperties: true };
  return type === 'strict_object' ? { additionalProperties: false } : {};
};

/** The default of an optional field. A switch in a query has its default as text. */
const defaultOf = (base: v.GenericSchema, { type }: Json): Json => {
  const { default: value } = partsOf(base);
  if (value === undefined) return {};
  return { default: type === 'boolean' && typeof value === 'string' ? value === 'true' : value };
};

const sentenceOf = (actions: Shape['actions']): Json => {
  const sentence = actions
    .map((action) => partsOf(action)['description'])
    .findLast((text) => typeof text === 'string');
  return sentence === undefined ? {} : { description: sentence };
};

/** The names of a record, where a rule bounds them. */
const keysOf = (key: Json): Json => (Object.keys(key).length > 1 ? { propertyNames: key } : {});

/** The type and the bounds of a shape, without its members. */
const boundsOf = ({ base, actions }: Shape): Json => {
  const convertible = actions.filter(({ type }) => type !== 'metadata' && type !== 'description');
  const json = toJsonSchema(v.pipe(shellOf(base), ...convertible), {
    target: 'draft-2020-12',
    errorMode: 'ignore',
    typeMode: 'output',
  });
  return Object.fromEntries(
    Object.entries(json).flatMap(([keyword, value]) => (isNoise(keyword, value) ? [] : [[keyword, value]])),
  );
};

/** What says nothing to a reader of the document: the bounds of exact integers, and the members of a shell. */
const isNoise = (keyword: string, value: unknown): boolean =>
  noise.has(keyword) || value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER;
const noise: ReadonlySet<string> = new Set([
  '$schema',
  'properties',
  'required',
  'items',
  'propertyNames',
  'additionalProperties',
]);

const shellOf = (base: v.GenericSchema): v.GenericSchema => {
  const { item, entries, key } = partsOf(base);
  if (isSchema(item)) return v.array(v.unknown());
  if (isSchema(key)) return v.record(v.string(), v.unknown());
  return isObject(entries) ? v.object({}) : base;
};
