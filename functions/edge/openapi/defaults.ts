/**
 * Defaults of fields, as a part of their sentences. With the keyword `default`, openapi-typescript demands the field in
 * every body, because it takes bodies and answers for one.
 */
import { isObject } from '../../../shared/http/json.ts';
import { objectFrom, type Json } from './json.ts';

/** A JSON Schema whose fields say their defaults, at every depth. */
export const sayDefaults = (schema: Json): Json => objectFrom(Object.entries(schema).map(sayMember));

const sayMember = ([keyword, value]: readonly [string, unknown]): readonly [string, unknown] => {
  if (keyword === 'properties' && isObject(value))
    return [keyword, objectFrom(Object.entries(value).map(([name, field]) => [name, sayField(field)]))];
  if (Array.isArray(value))
    return [keyword, value.map((one: unknown) => (isObject(one) ? sayDefaults(one) : one))];
  return [keyword, isObject(value) ? sayDefaults(value) : value];
};

const sayField = (field: unknown): unknown => {
  if (!isObject(field)) return field;
  const { default: value, ...rest } = field;
  const { description } = rest;
  if (isNothing(value) || typeof description !== 'string') return sayDefaults(rest);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return sayDefaults({ ...rest, description: `${description} Default: \`${text}\`.` });
};

/** Whether a default is the same as no value. */
const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '';
