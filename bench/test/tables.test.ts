import { describe, expect, it } from 'vitest';
import { goalsTable } from '../support/goals.ts';
import { peersTable } from '../support/peers-table.ts';
import { parseResult, type Result } from '../support/results.ts';
import type { Figure } from '../support/scenario.ts';

const machine = { processor: 'x', cores: 2, memoryGb: 24, system: 'linux', node: 'v24.21.0' };

/** A stored result with a run of one size. */
const resultOf = (name: string, size: 'ci' | 'full', figures: readonly Figure[]): Result =>
  parseResult({
    ...{ name, title: name, about: name },
    [size]: { date: '2026-11-29', commit: 'c', machine, sizes: {}, seconds: 1, figures },
  });

const lookups: readonly Figure[] = [
  { kind: 'ratio', name: '5 people: lookups, eight', value: 4, unit: '× PostgreSQL', least: 3, most: 5 },
  { kind: 'time', name: '5 people: lookups, eight: Tidemark', value: 100, unit: 'lookups/s' },
  { kind: 'time', name: '5 people: lookups, eight: PostgreSQL', value: 400, unit: 'lookups/s' },
];

describe('the table of peers', () => {
  it('has both rates and the ratio with its pairs', () => {
    const table = peersTable([resultOf('peers', 'ci', lookups)]);
    expect(table).toContain('CI size, 2026-11-29, 2 cores of x:');
    expect(table).toContain('| 5 people: lookups, eight | 100 | 400 | lookups/s | 4 (3 to 5) |');
  });

  it('divides counts, which have no pairs', () => {
    const moment = [
      ...lookups,
      { kind: 'count', name: 'a moment: Tidemark', value: 0.5, unit: 'bytes a member' },
      { kind: 'count', name: 'a moment: PostgreSQL', value: 50, unit: 'bytes a member' },
    ] as const;
    expect(peersTable([resultOf('peers', 'full', moment)])).toContain(
      '| a moment | 0.5 | 50 | bytes a member | 0.01 |',
    );
  });

  it('says that there is no result where PostgreSQL was never there', () => {
    expect(peersTable([])).toBe('There is no stored result of `peers`.');
  });
});

describe('the table of goals', () => {
  it('says of a missed goal what it would take', () => {
    const table = goalsTable([resultOf('peers', 'ci', lookups)]);
    expect(table).toContain('| `peers` | lookups | ≤ 3.5 | 4 (3 to 5) | × PostgreSQL | no |');
    expect(table).toMatch(/What the missed goals would take:\n\n- `peers`, lookups: \w/);
  });

  it('says nothing more of a goal that is reached', () => {
    const reached = lookups.map((each) => (each.kind === 'ratio' ? { ...each, value: 3.5 } : each));
    const table = goalsTable([resultOf('peers', 'full', reached)]);
    expect(table).toContain('| `peers` | lookups | ≤ 3.5 | 3.5 (3 to 5) | × PostgreSQL | yes |');
    expect(table).not.toContain('missed');
  });

  it('has goals of a million people only where so many were measured', () => {
    const counted = (people: string): Figure => ({
      ...{ kind: 'ratio', name: `${people} people: a count of a segment`, value: 0.5, unit: '× PostgreSQL' },
    });
    expect(goalsTable([resultOf('peers', 'ci', [counted('15,000')])])).not.toContain('`peers`');
    expect(goalsTable([resultOf('peers', 'full', [counted('1,000,000')])])).toContain('| ≤ 0.333 | 0.5 |');
  });
});
