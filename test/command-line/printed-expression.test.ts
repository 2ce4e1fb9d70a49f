import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Operator, operators } from '../../client/cli/expression/operators.ts';
import { printExpression } from '../../client/cli/expression/print.ts';
import type { Expression } from '../../client/cli/expression/types.ts';
import type { Field, Kind, Where } from '../../client/cli/expression/where.ts';
import { bare, own, read } from './read-expression.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }).filter((one) => one.trim() !== ''),
  fc.stringMatching(/^[a-c"'\\() :,=<>0-9.]+$/).filter((one) => one.trim() !== ''),
  fc.constantFrom(
    'and',
    'exists',
    'Köln',
    '007',
    '500',
    '1.234',
    '1.234,50',
    '2026-01-31',
    'New York',
    '500 €',
    'in',
    'x between 1',
  ),
);
const key = fc.oneof(
  text,
  fc.constantFrom('email', 'Email', 'tag', 'extra_data.x', 'seen', 'on', 'not', 'tag:x'),
);
const number = fc.oneof(
  fc.integer(),
  fc.constantFrom(1.234, -999.125, 0.1 + 0.2, 1e21, 1e-7),
  fc.double({ min: -1e15, max: 1e15, noNaN: true }).map((one) => (Math.abs(one) < 1e-6 ? 0 : one)),
);
const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const pair = <Value extends string | number>(
  one: fc.Arbitrary<Value>,
): fc.Arbitrary<readonly [Value, Value]> =>
  fc.tuple(one, one).map(([low, high]) => (low <= high ? [low, high] : [high, low]));
const list = { minLength: 1, maxLength: 4 };

const fields: Readonly<Record<Kind, fc.Arbitrary<Field>>> = {
  text: fc.constantFrom('zipcode', 'tag', 'source', 'last_name'),
  age: fc.constant('age'),
  created: fc.constant('created'),
  birthday: fc.constant('birthday'),
  tag: text.map((tag) => ({ tag })),
  own: key.map(own),
};

/** The values of a kind of fields, for operators that take several kinds of values. */
const valuesOf: Readonly<Record<Kind, readonly ('text' | 'number' | 'day')[]>> = {
  text: ['text'],
  age: ['number'],
  created: ['day'],
  birthday: ['day'],
  tag: ['day'],
  own: ['text', 'number', 'day'],
};

/** Any condition that the operator may be in. */
const whereWith = (operator: Operator): fc.Arbitrary<Where> =>
  fc
    .constantFrom(...operator.kinds)
    .chain((kind) => fc.tuple(fields[kind], fc.constantFrom(...valuesOf[kind])))
    .chain(([field, values]): fc.Arbitrary<Where> => {
      switch (operator.takes) {
        case 'nothing':
          return fc.constant({ field, op: operator.op });
        case 'value':
          return (values === 'number' ? number : text).map((value) => ({ field, op: operator.op, value }));
        case 'list':
          return (values === 'number' ? fc.array(number, list) : fc.array(text, list)).map((value) => ({
            field,
            op: operator.op,
            value,
          }));
        case 'text':
          return text.map((value) => ({ field, op: operator.op, value }));
        case 'number':
          return number.map((value) => ({ field, op: operator.op, value }));
        case 'two':
          return (values === 'number' ? pair(number) : pair(day)).map((value) => ({
            field,
            op: operator.op,
            value,
          }));
        case 'day':
          return day.map((value) => ({ field, op: operator.op, value }));
        case 'days':
          return fc.integer({ min: 1, max: 3_650 }).map((value) => ({ field, op: operator.op, value }));
      }
    });

const at = { start: 0, end: 0 };
const condition = fc
  .oneof(...operators.map(whereWith))
  .map((where): Expression => ({ kind: 'condition', where, at }));
const segment = fc
  .oneof(
    text,
    fc.constantFrom(
      'Jazz',
      'Rock on Top',
      'between',
      'Gap between 1',

      '500',
      'tag',
      'x on 2026-01-31',
      'a for 3 days',
    ),
  )
  .map((name): Expression => ({ kind: 'segment', segment: { kind: 'name', name }, at }));
const expression: fc.Arbitrary<Expression> = fc.letrec<{ readonly part: Expression }>((tie) => ({
  part: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    condition,
    segment,
    tie('part').map((of): Expression => ({ kind: 'not', of })),
    fc
      .record({
        kind: fc.constantFrom('all', 'any'),
        of: fc.array(tie('part'), { minLength: 2, maxLength: 4 }),
      })
      .map((both): Expression => both),
  ),
})).part;

describe('an expression with conditions', () => {
  it('is read as it was printed', () => {
    fc.assert(
      fc.property(expression, (value) => {
        const printed = printExpression(value);
        expect([printed, read(printed)]).toEqual([printed, bare(value)]);
      }),
      { numRuns: 1_000 },
    );
  });
});
