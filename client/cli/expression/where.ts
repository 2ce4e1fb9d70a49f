/** Conditions in the form of the API: what a field of a person must be. */
import type { Segment } from '../../src/index.ts';
import { conditionFields } from '../fields.ts';

/** A condition. A number compares numbers, a text compares texts; days are `YYYY-MM-DD`, spans count days. */
export type Where = NonNullable<Segment['where']>;

/** A field by its name, a key of the extra data as `extra_data.<key>`, or the newest date of a tag. */
export type Field = Where['field'];

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
