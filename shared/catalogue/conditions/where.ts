/** Condition: the schema that a client's condition must meet, with the fields and operators that fit each other. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { didYouMean } from '../../http/did-you-mean.ts';
import type { FaultCode } from '../../http/fault-codes.ts';
import { isObject } from '../../http/json.ts';
import { rule } from '../../http/rule.ts';
import { allOf } from '../../runtime/shortened.ts';
import { canonicalOf } from './canonical.ts';
import { fieldNames, kindOfField, type FieldKind } from './fields.ts';
import { operators, storedShape, whereShape, type Operator, type Where } from './shape.ts';

/** Why a condition is refused: the member at fault, and a sentence that says what is allowed. */
interface Misfit {
  readonly at: 'field' | 'op' | 'value';
  readonly code: FaultCode;
  readonly sentence: string;
}

/** The schema of a condition as a client sends it. */
export const whereSchema: v.GenericSchema<Where> = v.lazy((input) => {
  const shape = shapeOf(input);
  const sent = v.safeParse(shape, input, { abortPipeEarly: true });
  const misfit = sent.success ? (misfitOf(sent.output) ?? tooLong(sent.output)) : undefined;
  return misfit ? refusing(misfit) : shape;
});

/** The schema for the operator that a condition seems to have, so that a fault says what this operator expects. */
const shapeOf = (input: unknown): v.GenericSchema<Where> => {
  const op = isObject(input) ? input['op'] : undefined;
  return whereShape.options.find(({ entries }) => v.is(entries.op, op)) ?? whereShape;
};

const storedSchema = v.pipe(v.string(), v.parseJson(), storedShape);

/**
 * The condition in a stored text (JSON). Limits bind new conditions only: one that is stored has members. Undefined for a
 * text that this release cannot read as a whole, such as an operator, a field or a member of a later one.
 */
export const readWhere = (stored: string): Where | undefined => {
  const read = v.safeParse(storedSchema, stored);
  return read.success && misfitOf(read.output) === undefined ? read.output : undefined;
};

const refusing = ({ at, code, sentence }: Misfit): v.GenericSchema<Where> =>
  v.pipe(
    v.custom<Where>(() => true),
    v.forward(
      rule<Where>(code, () => false, sentence),
      [at],
    ),
  );

/** Why the field, the operator and the value of a condition do not fit each other. */
const misfitOf = (where: Where): Misfit | undefined => {
  const kind = kindOfField(where.field);
  if (kind === undefined) return { at: 'field', code: 'not_allowed', sentence: unknownField(where.field) };
  const allowed = operatorsOf(where.field, kind);
  const name = nameOf(where.field, kind);
  if (!allowed.includes(where.op)) {
    return {
      at: 'op',
      code: 'not_allowed',
      sentence: `${name} ${kindWords[kind]}: it allows ${allOf(allowed, 'and')}.`,
    };
  }
  const given = kindOfValue(where);
  if (kind !== 'any' && given !== undefined && given !== kind) {
    return {
      at: 'value',
      code: 'wrong_type',
      sentence: `${name} ${kindWords[kind]}: compare it with ${valueWords[kind]}.`,
    };
  }
  return undefined;
};

/** The fault of a condition that is too long. Its canonical form is claimed; the sent form, which is stored, may have spaces that nobody sees. */
const tooLong = (where: Where): Misfit | undefined => {
  const { bytes } = limits.conditions;
  if (bytesOf(canonicalOf(where)) <= bytes && bytesOf(JSON.stringify(where)) <= bytes) return undefined;
  return {
    at: where.op === 'exists' ? 'field' : 'value',
    code: 'too_long',
    sentence: `The condition must have at most ${bytes} bytes of UTF-8.`,
  };
};

const nameOf = (field: Where['field'], kind: FieldKind): string => {
  if (kind === 'any') return 'A value of `extra_data`';
  return typeof field === 'string' ? `\`${field}\`` : 'The time of a tag';
};

const bytesOf = (text: string): number => Buffer.byteLength(text);

const kindWords = {
  text: 'is text',
  number: 'is a number',
  day: 'is a day',
  any: 'may be anything',
} as const;
const valueWords = { text: 'texts', number: 'numbers', day: 'days, written YYYY-MM-DD' } as const;

const unknownField = (field: Where['field']): string => {
  const meant = typeof field === 'string' ? didYouMean(field, fieldNames) : '';
  return meant === ''
    ? `Is not known here; known: ${fieldNames.join(', ')}, extra_data. with a key, and {"tag": "Concert"}.`
    : `Is not known here.${meant}`;
};

/** The operators of a field, in the order of the sentences. */
const operatorsOf = (field: Where['field'], kind: FieldKind): readonly Operator[] => {
  const { text, number, day, birthday } = operators;
  if (kind === 'any') return [...new Set<Operator>([...text, ...number, ...day])];
  const own: readonly Operator[] = operators[kind];
  return field === 'birthday' ? [...own, ...birthday] : own;
};

/** What the value of a condition is; undefined where any field that has the operator takes it. */
const kindOfValue = (where: Where): Exclude<FieldKind, 'any'> | undefined => {
  if (where.op !== 'eq' && where.op !== 'in' && where.op !== 'between') return undefined;
  const [first] = [where.value].flat();
  if (typeof first === 'number') return 'number';
  return where.op === 'between' ? 'day' : 'text';
};
