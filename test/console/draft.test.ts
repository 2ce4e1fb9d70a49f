import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  conditionsIn,
  definitionOf,
  groupOf,
  matches,
  newGroup,
  newRule,
  withIds,
  type Group,
  type Part,
  type Rule,
} from '../../console/src/screens/segments/builder/draft.ts';
import { operatorsFor, whereOf } from '../../console/src/screens/segments/builder/operators.ts';

const chosen = (id: number, op: 'is' | 'is_not' = 'is'): Rule => ({
  ...newRule('segment:tag'),
  op,
  chosen: { id, name: `Tag ${id}`, type: 'tag' },
});
const age: Rule = { ...newRule('field:age'), op: 'lt', typed: ['65', ''] };
const where = { field: 'age', op: 'lt', value: 65 } as const;

describe('the rules of a builder', () => {
  it('become a definition, without what is not complete', () => {
    const none = newGroup('none', [chosen(3), chosen(4)]);
    const group = newGroup('all', [
      chosen(1),
      age,
      newRule(),
      newRule('field:email'),
      none,
      newGroup('any', []),
    ]);
    const email = { where: { field: 'email', op: 'exists' } };
    expect(definitionOf(newGroup('all', [newRule()]))).toBeUndefined();
    expect(definitionOf(newGroup('none', [chosen(1)]))).toEqual({ not: 1 });
    expect(definitionOf(newGroup('any', [chosen(1, 'is_not')]))).toEqual({ not: 1 });
    expect(definitionOf(group)).toEqual({ all: [1, { where }, { not: { any: [3, 4] } }] });
    expect(email.where.op).toBe(operatorsFor('email').at(-1));
  });

  it('are stored with the ids of their conditions, and not without one', () => {
    const group = newGroup('all', [chosen(1), age, newGroup('none', [age])]);
    const definition = definitionOf(group) ?? 0;
    expect(conditionsIn(group)).toEqual([where]);
    expect(withIds(definition, new Map([[JSON.stringify(where), 9]]))).toEqual({ all: [1, 9, { not: 9 }] });
    expect(withIds(definition, new Map())).toBeUndefined();
  });

  it('are the same when a stored definition is opened again', () => {
    const { part } = fc.letrec<{ part: Part; group: Group; rule: Rule }>((tie) => ({
      part: fc.oneof({ maxDepth: 3 }, tie('rule'), tie('group')),
      rule: fc
        .tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom('is', 'is_not'))
        .map((of) => chosen(...of)),
      group: fc
        .tuple(fc.constantFrom(...matches), fc.array(tie('part'), { minLength: 1, maxLength: 3 }))
        .map((of) => newGroup(...of)),
    }));
    const names = new Map([1, 2, 3, 4, 5].map((id) => [id, { name: `Tag ${id}`, type: 'tag' } as const]));
    fc.assert(
      fc.property(part, (built) => {
        const stored = withIds(definitionOf(built) ?? 0, new Map());
        expect(stored).toBeDefined();
        expect(definitionOf(groupOf(stored ?? 0, names, ['tag']))).toEqual(stored);
      }),
    );
  });
});

describe('a condition', () => {
  it('is read from what is typed, as its field has values', () => {
    expect(whereOf('zipcode', 'eq', ['04109', ''])).toEqual({ field: 'zipcode', op: 'eq', value: '04109' });
    expect(whereOf('extra_data.visits', 'eq', ['3', ''])).toMatchObject({ value: 3 });
    expect(whereOf('extra_data.visits', 'in', ['1, 2,x', ''])).toMatchObject({ value: ['1', '2', 'x'] });
    expect(whereOf('extra_data.visits', 'in', ['1,2', ''])).toMatchObject({ value: [1, 2] });
    expect(whereOf('country', 'in', ['AT, CH', ''])).toMatchObject({ value: ['AT', 'CH'] });
    expect(whereOf('age', 'between', ['18', '24'])).toMatchObject({ value: [18, 24] });
    expect(whereOf('created', 'between', ['2026-01-01', '2026-02-01'])).toMatchObject({
      value: ['2026-01-01', '2026-02-01'],
    });
    expect(whereOf('extra_data.seen', 'older_than_days', ['90', ''])).toMatchObject({ value: 90 });
  });

  it.each([
    ['age', 'lt', ['', '']],
    ['age', 'eq', ['x', '']],
    ['age', 'in', ['1,x', '']],
    ['age', 'between', ['18', '']],
    ['created', 'after', ['1 May', '']],
    ['created', 'within_days', ['0', '']],
    ['created', 'within_days', ['1.5', '']],
    ['email', 'contains', ['  ', '']],
  ] as const)('of %s with %s and %j is none', (field, op, typed) => {
    expect(whereOf(field, op, typed)).toBeUndefined();
  });

  it('has the operators that fit its field', () => {
    expect(operatorsFor('birthday')).toContain('anniversary_within_days');
    expect(operatorsFor({ tag: 'Gig' })).not.toContain('eq');
    expect(operatorsFor('extra_data.x')).not.toContain('anniversary_within_days');
    expect(operatorsFor('email')).toEqual(['eq', 'in', 'contains', 'starts_with', 'exists']);
  });
});
