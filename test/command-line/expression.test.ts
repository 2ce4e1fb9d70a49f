import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExpression, underline } from '../../client/cli/expression/parse.ts';
import { printExpression } from '../../client/cli/expression/print.ts';
import { type Expression, segmentTypes } from '../../client/cli/expression/types.ts';

/** The expression without the places of its parts. */
const shape = (expression: Expression): unknown => {
  switch (expression.kind) {
    case 'segment':
      return expression.segment.kind === 'id'
        ? expression.segment.id
        : expression.segment.type === undefined
          ? expression.segment.name
          : { [expression.segment.type]: expression.segment.name };
    case 'condition':
      return expression.where;
    case 'not':
      return { not: shape(expression.of) };
    case 'all':
    case 'any':
      return { [expression.kind]: expression.of.map(shape) };
  }
};

const read = (text: string): unknown => {
  const parsed = parseExpression(text);
  return parsed.ok ? shape(parsed.value) : parsed.error.message;
};

const faulty = (text: string): string => {
  const parsed = parseExpression(text);
  return parsed.ok ? 'no fault' : `${parsed.error.message}\n${underline(text, parsed.error.at)}`;
};

describe('an expression of segments in words', () => {
  it.each<readonly [string, unknown]>([
    ['Jazz', 'Jazz'],
    ['constructor and toString', { all: ['constructor', 'toString'] }],
    ['Jazz and not "Age: 65+"', { all: ['Jazz', { not: 'Age: 65+' }] }],
    ['a or b and c', { any: ['a', { all: ['b', 'c'] }] }],
    ['(a or b) and c', { all: [{ any: ['a', 'b'] }, 'c'] }],
    ['not a and b', { all: [{ not: 'a' }, 'b'] }],
    ['NOT not a', { not: { not: 'a' } }],
    ['Neue Musik AND Jazz', { all: ['Neue Musik', 'Jazz'] }],
    ["'Neue Musik' or Rock'n'Roll", { any: ['Neue Musik', "Rock'n'Roll"] }],
    ['tag:Jazz or brand:"Blue Note"', { any: [{ tag: 'Jazz' }, { brand: 'Blue Note' }] }],
    ['category:"A > B"', { CATEGORY: 'A > B' }],
    ['email: given', 'email: given'],
    ['1001000000088 and "1001000000088"', { all: [1_001_000_000_088, '1001000000088'] }],
    ['2024', '2024'],
    [String.raw`"12\" \\ vinyl"`, String.raw`12" \ vinyl`],
    ['"and" or order', { any: ['and', 'order'] }],
  ])('reads %s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    ['', 'A segment is missing.\n\n^'],
    ['Jazz and', 'A segment is missing after "and".\nJazz and\n        ^'],
    ['Jazz and or VIP', 'A segment is missing after "and".\nJazz and or VIP\n         ^^'],
    ['Jazz not VIP', 'Write "and" or "or" before "not".\nJazz not VIP\n     ^^^'],
    ['(Jazz or VIP', 'This parenthesis is never closed.\n(Jazz or VIP\n^'],
    ['Jazz) or VIP', 'This parenthesis was never opened.\nJazz) or VIP\n    ^'],
    ['()', 'A segment is missing after "(".\n()\n ^'],
    ['Jazz "VIP"', 'Write "and" or "or" before "VIP".\nJazz "VIP"\n     ^^^^^'],
    ['Jazz and "VIP', 'The quote " has no end.\nJazz and "VIP\n         ^^^^'],
    ['""', 'A segment has a name.\n""\n^^'],
  ])('shows the fault of %j and its place', (text, expected) => {
    expect(faulty(text)).toBe(expected);
  });

  it.each([
    'Rock on Top',
    'Kino in Berlin',
    'People older than 65',
    'Gap between tracks',
    'Bought within a week',
    'Parking for 3 days',
    'Music > Jazz',
    'Music > 80s',
    'A -> B',
    '<3',
    'exists',
    'on 2026-01-31',
  ])('reads %s as the name that it always was', (text) => {
    expect(read(text)).toBe(text);
  });

  it('names the types of segments when a type is unknown', () => {
    expect(faulty('label:Jazz')).toMatch(
      /^There is no type "label" of segments, only tag, source, .*\nlabel:Jazz\n\^{5}$/,
    );
  });

  it('refuses deep nesting with a sentence, and not with a stack overflow', () => {
    expect(faulty(`${'('.repeat(100_000)}Jazz`)).toContain('Only 16 levels');
    expect(faulty(`${'not '.repeat(100_000)}Jazz`)).toContain('Only 16 levels');
  });

  const segment = fc.oneof(
    fc
      .integer({ min: 1_000_000_000, max: Number.MAX_SAFE_INTEGER })
      .map((id) => ({ kind: 'segment', segment: { kind: 'id', id } })),
    fc
      .record({
        name: fc.oneof(
          fc.string({ unit: 'binary', minLength: 1 }).filter((name) => name.trim() !== ''),
          fc.stringMatching(/^[a-c"'\\() :0-9]+$/).filter((name) => name.trim() !== ''),
          fc.constantFrom(
            'and',
            'not a',
            'Age: 65+',
            'TX, US',
            '2024',
            '1234567890',
            'tag:Jazz',
            'Neue Musik',
          ),
        ),
        type: fc.option(fc.constantFrom(...segmentTypes), { nil: undefined }),
      })
      .map(({ name, type }) => ({
        kind: 'segment',
        segment: type === undefined ? { kind: 'name', name } : { kind: 'name', name, type },
      })),
  );
  const { expression } = fc.letrec((tie) => ({
    expression: fc.oneof(
      { depthSize: 'small', maxDepth: 4 },
      segment,
      fc.record({ kind: fc.constant('not'), of: tie('expression') }),
      fc.record({
        kind: fc.constantFrom('all', 'any'),
        of: fc.array(tie('expression'), { minLength: 2, maxLength: 4 }),
      }),
    ),
  }));

  it('reads what it writes', () => {
    const isExpression = (value: unknown): value is Expression => typeof value === 'object';
    fc.assert(
      fc.property(expression, (value) => {
        if (!isExpression(value)) throw new Error('no expression');
        const text = printExpression(value);
        const parsed = parseExpression(text);
        expect(parsed.ok ? shape(parsed.value) : parsed.error).toEqual(shape(value));
      }),
    );
  });
});
