import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  conditionsIn,
  definitionOf,
  groupOf,
  groupOfWords,
  idsAmong,
  lacksIn,
  matches,
  newGroup,
  newRule,
  rulesIn,
  withIds,
  type Group,
  type Part,
  type Rule,
  type What,
} from '../../console/src/screens/segments/builder/draft.ts';
import { fields } from '../../console/src/screens/segments/builder/offered.ts';
import {
  isSame,
  operatorsFor,
  typedOf,
  whereOf,
} from '../../console/src/screens/segments/builder/operators.ts';
import { reachable } from '../../console/src/screens/segments/channels.ts';
import { wordsOf } from '../../console/src/screens/segments/definition.ts';
import type { Named } from '../../console/src/screens/segments/catalogue.ts';
import type { Where } from '../../console/src/screens/segments/where-words.ts';

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

  it('say of each that is not complete what it lacks, by its number', () => {
    const typed = (what: What, ...of: readonly string[]): Rule => ({ ...newRule(what), typed: of });
    const between: Rule = { ...typed('field:age', '18', ' '), op: 'between' };
    const inner = newGroup('any', [
      chosen(1),
      between,
      { ...typed('field:created', '1.5', ''), op: 'within_days' },
    ]);
    const lacks = lacksIn(
      newGroup('all', [newRule(), inner, typed('tag:', '3', ''), typed('own:', '3', ''), age]),
    );
    expect(lacks.map(({ place, lacks: what }) => `${place} ${what}`)).toEqual([
      ...['1 value', '2.2 value', '2.3 fit', '3 name', '4 name'],
    ]);
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
        expect(definitionOf(groupOf(stored ?? 0, names))).toEqual(stored);
      }),
    );
  });
});

describe('the address of people', () => {
  it('is read as the rules of the definition that was counted', () => {
    const names = new Map<number, Named>([
      [1, { name: 'Jazz', type: 'tag' }],
      [7, { name: 'Young', type: 'condition', where }],
      [9, { name: 'email: given', type: 'consent' }],
    ]);
    const channel = { channel: 'email', segment: 9 };
    for (const definition of [reachable(1, channel), reachable(7, channel), { all: [1, 7] }, 1])
      expect(definitionOf(groupOfWords(wordsOf(definition) ?? [], names) ?? newGroup())).toEqual(definition);
    expect(wordsOf({ all: [1, { any: [1, 7] }] })).toBeUndefined();
    expect(wordsOf({ where })).toBeUndefined();
  });

  it('is no rules at all if it has anything else: fewer rules would be more people', () => {
    const names = new Map<number, Named>([[1, { name: 'Jazz', type: 'tag' }]]);
    for (const word of ['x', '../1', '1e3', '01', '-1', 'password', '2', '9'.repeat(16)])
      expect(groupOfWords(['1', word], names)).toBeUndefined();
    expect(groupOfWords([], names)?.of).toHaveLength(1);
  });

  it('has at most twenty words', () => {
    const ids = Array.from({ length: 21 }, (_, index) => index + 1);
    const names = new Map(ids.map((id) => [id, { name: `Tag ${id}`, type: 'tag' } as const]));
    const words = ids.map(String);
    expect(idsAmong(words)).toBeUndefined();
    expect(groupOfWords(words, names)).toBeUndefined();
    expect(groupOfWords(fields.slice(0, 21), names)).toBeUndefined();
    expect(idsAmong(words.slice(1))).toEqual(ids.slice(1));
    expect(groupOfWords(words.slice(1), names)?.of).toHaveLength(20);
  });
});

describe('a stored condition', () => {
  const condition = (of: Where) => ({ name: 'Named by somebody', type: 'condition', where: of }) as const;

  it('is a rule again, and stays the segment that it is until the rule is changed', () => {
    const names = new Map<number, Named>([
      [1, { name: 'Jazz', type: 'tag' }],
      [7, condition(where)],
    ]);
    const stored = { all: [1, 7, { not: 7 }, { not: { any: [7, 1] } }] };
    const group = groupOf(stored, names);
    expect(group.of[1]).toMatchObject({ what: 'field:age', op: 'lt', typed: ['65', ''] });
    expect(group.of[2]).toMatchObject({ match: 'none', of: [{ what: 'field:age' }] });
    expect(definitionOf(group)).toEqual(stored);
    expect(conditionsIn(group)).toEqual([]);
    const [rule] = rulesIn(groupOf(7, names));
    const changed = (typed: readonly string[]) => newGroup('all', rule ? [{ ...rule, typed }] : []);
    expect(definitionOf(changed(['66', '']))).toEqual({ where: { ...where, value: 66 } });
    expect(definitionOf(changed(['', '']))).toBeUndefined();
    expect(definitionOf(changed([' 65', '']))).toBe(7);
  });

  it.each<Where>([
    { field: 'street2', op: 'exists' },
    { field: 'extra_data.code', op: 'eq', value: '65' },
    { field: 'extra_data.code', op: 'in', value: ['a, b'] },
    { field: 'extra_data. code', op: 'exists' },
    { field: 'zipcode', op: 'eq', value: 4109 },
    { field: 'city', op: 'contains', value: ' a' },
    { field: 'birthday', op: 'within_next_days', value: 1e21 },
    { field: 'age', op: 'within_days', value: 3 },
  ])('that one cannot write stays a segment: %j', (of) => {
    const group = groupOf(7, new Map([[7, condition(of)]]));
    expect(group.of).toMatchObject([{ what: 'segment:', op: 'is', chosen: { id: 7 } }]);
    expect(definitionOf(group)).toBe(7);
  });

  const day = fc
    .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const number = fc
    .tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.constantFrom('', '.5', '.25'))
    .map((of) => of.join(''));
  const text = fc.oneof(fc.string(), number, day, fc.constantFrom('AT, CH,DE', '1, 2', ' Bad  Ems '));
  const field = fc.oneof(
    fc.constantFrom(...fields),
    fc.string().map((key) => `extra_data.${key.trim()}x`),
    fc.string().map((tag) => ({ tag: `${tag.trim()}x` })),
  );

  it('is typed again as whatever can be typed: the same rule', () => {
    const written = field.chain((about) =>
      fc.tuple(fc.constant(about), fc.constantFrom(...operatorsFor(about)), fc.tuple(text, text)),
    );
    let conditions = 0;
    fc.assert(
      fc.property(written, ([about, op, typed]) => {
        const of = whereOf(about, op, typed);
        fc.pre(of !== undefined);
        conditions += 1;
        expect(whereOf(about, op, typedOf(of))).toEqual(of);
        expect(definitionOf(groupOf(7, new Map([[7, condition(of)]])))).toBe(7);
        const [rule] = rulesIn(groupOf(7, new Map([[7, condition(of)]])));
        expect(rule?.op).toBe(op);
      }),
      { numRuns: 2_000 },
    );
    expect(conditions).toBeGreaterThan(500);
  });

  it('is known again whatever the order of its members', () => {
    expect(isSame({ value: 65, op: 'lt', field: 'age' }, where)).toBe(true);
    expect(isSame({ field: 'age', op: 'lte', value: 65 }, where)).toBe(false);
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
