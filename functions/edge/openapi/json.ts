/** JSON Schema parts: references, alternatives and nullable forms, each in its shortest form. */

import { isObject } from '../../../shared/http/json.ts';

/** A JSON Schema, or another object of an OpenAPI document. */
export interface Json {
  readonly [member: string]: unknown;
}

/** A reference to a model. */
export const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** An object from its members. */
export const objectFrom = (members: readonly (readonly [name: string, member: unknown])[]): Json =>
  Object.fromEntries(members);

/** A schema that also takes null. The sentence stays outside the alternatives. */
export const orNull = (json: Json): Json => {
  const { description, ...bare } = json;
  const { type, enum: options, anyOf, ...rest } = bare;
  const sentence = description === undefined ? {} : { description };
  if (typeof type === 'string' && scalars.has(type)) {
    const values = Array.isArray(options) ? { enum: [...list(options), null] } : {};
    return { ...sentence, ...rest, type: [type, 'null'], ...values };
  }
  if (Array.isArray(type)) return type.includes('null') ? json : { ...json, type: [...list(type), 'null'] };
  if (Array.isArray(anyOf)) return { ...sentence, ...rest, anyOf: [...list(anyOf), nothing] };
  return { ...sentence, anyOf: [bare, nothing] };
};

/** Alternatives: of one discriminated union, or of any shapes. Plain types become one list of types. */
export const either = (type: 'union' | 'variant', options: readonly Json[]): Json => {
  if (type === 'variant') return { oneOf: options };
  const types = options.flatMap((option) =>
    Object.keys(option).length === 1 && option['type'] !== undefined ? [option['type']] : [],
  );
  return types.length === options.length ? { type: types } : { anyOf: options };
};

const list = (values: readonly unknown[]): readonly unknown[] => values;
const nothing: Json = { type: 'null' };
const scalars: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean']);

/** The members of an object's JSON Schema, and the names of those that it requires. */
export const partsOfObject = ({
  properties,
  required,
}: Json): { readonly properties: Readonly<Record<string, Json>>; readonly required: readonly unknown[] } => ({
  properties: Object.fromEntries(
    Object.entries(isObject(properties) ? properties : {}).flatMap(([name, member]) =>
      isObject(member) ? [[name, member]] : [],
    ),
  ),
  required: Array.isArray(required) ? required : [],
});
