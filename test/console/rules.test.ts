import { describe, expect, it } from 'vitest';
import { ruleOf, sourcesIn, type Membership, type Rule } from '../../console/src/screens/people/rules.ts';

type Reason = Membership['why'];

const value = (name: string, holds: boolean, source = 'api'): Reason => {
  const evidence = {
    field: 'tags',
    value: name,
    tier: 'stated',
    source,
    job: null,
    stamp: '2026-11-26T08:00:00.000Z',
  } as const;
  const segment = { id: 1001000000002, name, type: 'tag' } as const;
  const [because, instead] = holds ? [[evidence], []] : [[], [evidence]];
  return { kind: 'value', holds, decides: true, segment, pending: false, because, instead };
};

const group = (kind: 'all' | 'any' | 'not', holds: boolean, of: readonly Reason[]): Reason => ({
  kind,
  holds,
  decides: true,
  of,
});

const custom = (name: string | null, holds: boolean, of: readonly Reason[]): Reason => ({
  kind: 'custom',
  holds,
  decides: true,
  segment: { id: 1001000000009, name, type: 'custom' },
  of,
});

/** A rule in one line: what it asks for, and whether it holds. */
const line = ({ negated, segment, joined, parts, holds }: Rule): string => {
  const name = segment === undefined ? '' : (segment.name ?? '–');
  const below = parts.length === 0 ? '' : `${joined}(${parts.map(line).join(', ')})`;
  return `${negated ? 'not ' : ''}${[name, below].filter((part) => part !== '').join(' = ')}${holds ? ' ✓' : ' ✗'}`;
};

describe('the rules of an explanation', () => {
  it('become one line each: a segment with its definition, a negation with what it negates', () => {
    const why = custom('Autumn', true, [
      group('any', true, [
        value('Opera', false),
        group('not', true, [value('Dance', false)]),
        group('not', false, [
          group('any', true, [value('Jazz', true), group('not', true, [value('Abo', false)])]),
        ]),
      ]),
    ]);
    expect(line(ruleOf(why))).toBe('Autumn = any(Opera ✗, not Dance ✓, not any(Jazz ✓, not Abo ✓) ✗) ✓');
  });

  it('keep a deleted segment without a name, a double negation, and a definition of one rule', () => {
    const twice = group('not', true, [group('not', false, [value('Jazz', true)])]);
    expect(line(ruleOf(custom(null, true, [twice])))).toBe('– = all(Jazz ✓) ✓');
    expect(
      line(
        ruleOf(
          custom('No opera', true, [group('not', true, [group('all', false, [value('Opera', false)])])]),
        ),
      ),
    ).toBe('No opera = all(not all(Opera ✗) ✓) ✓');
  });

  it('name every source once or more, however deep', () => {
    const why = group('all', false, [
      value('Jazz', true, 'import:1'),
      group('not', true, [value('Abo', false, 'api')]),
    ]);
    expect(sourcesIn(ruleOf(why))).toEqual(['import:1', 'api']);
  });
});
