/** Conditions in the form of the API: what a field of a person must be. */
import { conditionFields } from '../fields.ts';

/** A field by its name, a key of the extra data as `extra_data.<key>`, or the newest date of a tag. */
export type Field = string | { readonly tag: string };

/** A condition. A number compares numbers, a text compares texts; days are `YYYY-MM-DD`, spans count days. */
export type Where = { readonly field: Field } & (
  | { readonly op: 'exists' }
  | { readonly op: 'eq'; readonly value: string | number }
  | { readonly op: 'in'; readonly value: readonly string[] | readonly number[] }
  | { readonly op: 'starts_with' | 'contains'; readonly value: string }
  | { readonly op: 'lt' | 'lte' | 'gt' | 'gte'; readonly value: number }
  | { readonly op: 'between'; readonly value: readonly [number, number] | readonly [string, string] }
  | { readonly op: 'before' | 'after' | 'on'; readonly value: string }
  | { readonly op: SpanOp; readonly value: number }
);
type SpanOp = 'within_days' | 'older_than_days' | 'within_next_days' | 'anniversary_within_days';

/** What the values of a field are. An own field is a key of the extra data, and may have any. */
export type Kind = 'text' | 'age' | 'created' | 'birthday' | 'tag' | 'own';

/** What stands before a key of the extra data. */
export const OWN = 'extra_data.';

/** What the values of a field are. */
export const kindOf = (field: Field): Kind => {
  if (typeof field === 'object') return 'tag';
  if (field.startsWith(OWN)) return 'own';
  return field === 'age' || field === 'created' || field === 'birthday' ? field : 'text';
};

/** Whether a field of the service has a name. */
export const isField = (name: string): boolean => conditionFields.includes(name);

/** The field of the service whose name differs from `name` at most in capitals. */
export const fieldLike = (name: string): string | undefined => {
  const folded = name.toLowerCase();
  return conditionFields.find((field) => field === folded);
};
