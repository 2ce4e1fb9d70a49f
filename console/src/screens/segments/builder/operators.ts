/** The operators of conditions: for which fields they are, and what follows them. */
import { OWN, type Where } from '../where-words.ts';

/** An operator of the API. */
export type Op = Where['op'];

/** What the values of a field are. An own field is a key of the extra data, and may have any. */
type Kind = 'text' | 'age' | 'created' | 'birthday' | 'tag' | 'own';

/** What follows an operator. */
export type Takes = 'nothing' | 'value' | 'list' | 'text' | 'number' | 'two' | 'day' | 'days';

const texts: readonly Kind[] = ['text', 'own'];
const numbers: readonly Kind[] = ['age', 'own'];
const days: readonly Kind[] = ['birthday', 'created', 'tag', 'own'];
const all: readonly Kind[] = ['text', 'age', 'created', 'birthday', 'tag', 'own'];

const operators: Readonly<Record<Op, { readonly takes: Takes; readonly kinds: readonly Kind[] }>> = {
  lt: { takes: 'number', kinds: numbers },
  gte: { takes: 'number', kinds: numbers },
  lte: { takes: 'number', kinds: numbers },
  gt: { takes: 'number', kinds: numbers },
  older_than_days: { takes: 'days', kinds: days },
  within_days: { takes: 'days', kinds: days },
  within_next_days: { takes: 'days', kinds: days },
  anniversary_within_days: { takes: 'days', kinds: ['birthday'] },
  before: { takes: 'day', kinds: days },
  after: { takes: 'day', kinds: days },
  on: { takes: 'day', kinds: days },
  between: { takes: 'two', kinds: [...numbers, 'birthday', 'created', 'tag'] },
  eq: { takes: 'value', kinds: ['text', 'age', 'own'] },
  in: { takes: 'list', kinds: ['text', 'age', 'own'] },
  contains: { takes: 'text', kinds: texts },
  starts_with: { takes: 'text', kinds: texts },
  exists: { takes: 'nothing', kinds: all },
};

const isOp = (word: string): word is Op => Object.hasOwn(operators, word);

/** What the values of a field are. */
export const kindOf = (field: Where['field']): Kind => {
  if (typeof field !== 'string') return 'tag';
  if (field.startsWith(OWN)) return 'own';
  return field === 'age' || field === 'created' || field === 'birthday' ? field : 'text';
};

/** The operators for a field, the usual ones first. */
export const operatorsFor = (field: Where['field']): readonly Op[] =>
  Object.keys(operators)
    .filter(isOp)
    .filter((op) => operators[op].kinds.includes(kindOf(field)));

/** What follows an operator. */
export const takes = (op: Op): Takes => operators[op].takes;

const NUMBER = /^-?\d+(?:\.\d+)?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The number of a text; `undefined` if it is none. */
const numberOf = (text: string): number | undefined => (NUMBER.test(text) ? Number(text) : undefined);

/** A value of a field: a number where the field has numbers. */
const valueOf = (field: Where['field'], text: string): string | number | undefined => {
  if (text === '') return undefined;
  if (kindOf(field) === 'text') return text;
  const number = numberOf(text);
  return number ?? (kindOf(field) === 'age' ? undefined : text);
};

const listOf = <Value>(values: readonly (Value | undefined)[]): readonly Value[] =>
  values.flatMap((value) => (value === undefined ? [] : [value]));

/** What is typed for two bounds: numbers, or days. */
const betweenRule = (field: Where['field'], low: string, high: string): Where | undefined => {
  const op = 'between';
  if (DAY.test(low) && DAY.test(high)) return { field, op, value: [low, high] };
  const value = listOf([numberOf(low), numberOf(high)]);
  return value.length === 2 ? { field, op, value } : undefined;
};

/** One of several values, with commas between them: numbers if all are numbers. */
const listRule = (field: Where['field'], text: string): Where | undefined => {
  const parts = text.split(',').flatMap((part) => part.trim() || []);
  if (parts.length === 0) return undefined;
  const amounts = kindOf(field) === 'text' ? [] : listOf(parts.map(numberOf));
  if (amounts.length === parts.length) return { field, op: 'in', value: amounts };
  return kindOf(field) === 'age' ? undefined : { field, op: 'in', value: parts };
};

type DaysOp = Extract<Op, `${string}_days`>;
type NumberOp = 'lt' | 'lte' | 'gt' | 'gte';
type TextOp = 'starts_with' | 'contains';
type DayOp = 'before' | 'after' | 'on';

/** The condition of a field, an operator and what is typed behind it; `undefined` while something is missing. */
export const whereOf = (field: Where['field'], op: Op, typed: readonly string[]): Where | undefined => {
  const [first = '', second = ''] = typed.map((text) => text.trim());
  const number = numberOf(first);
  switch (op) {
    case 'exists':
      return { field, op };
    case 'eq': {
      const value = valueOf(field, first);
      return value === undefined ? undefined : { field, op, value };
    }
    case 'in':
      return listRule(field, first);
    case 'between':
      return betweenRule(field, first, second);
    case 'starts_with':
    case 'contains':
      return textRule(field, op, first);
    case 'before':
    case 'after':
    case 'on':
      return dayRule(field, op, first);
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return numberRule(field, op, number);
    case 'within_days':
    case 'older_than_days':
    case 'within_next_days':
    case 'anniversary_within_days':
      return daysRule(field, op, number);
  }
};

/** Whether two conditions are one. The service gives back the members of a rule in the order in which they were sent. */
export const isSame = (one: Where, other: Where): boolean => textOf(one) === textOf(other);

const textOf = (where: Where): string =>
  JSON.stringify([where.field, where.op, 'value' in where ? where.value : null]);

/** What one types for a condition, as far as text can say it: `whereOf` tells. */
export const typedOf = (where: Where): readonly [string, string] => {
  if (where.op === 'exists') return ['', ''];
  if (where.op === 'in') return [where.value.join(', '), ''];
  if (where.op !== 'between') return [String(where.value), ''];
  const [low = '', high = ''] = where.value;
  return [String(low), String(high)];
};

const textRule = (field: Where['field'], op: TextOp, value: string): Where | undefined =>
  value === '' ? undefined : { field, op, value };

const dayRule = (field: Where['field'], op: DayOp, value: string): Where | undefined =>
  DAY.test(value) ? { field, op, value } : undefined;

const numberRule = (field: Where['field'], op: NumberOp, value: number | undefined): Where | undefined =>
  value === undefined ? undefined : { field, op, value };

const daysRule = (field: Where['field'], op: DaysOp, value: number | undefined): Where | undefined =>
  value !== undefined && Number.isInteger(value) && value > 0 ? { field, op, value } : undefined;
