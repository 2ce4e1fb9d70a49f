import { describe, expect, it } from 'vitest';
import { globMatches } from '../../shared/imports/files/file-glob.ts';

describe('globMatches', () => {
  it.each([
    ['*', 'anything.csv', true],
    ['*.csv', 'a.csv', true],
    ['*.csv', 'a.csv.gz', false],
    ['people-????.csv', 'people-2026.csv', true],
    ['people-????.csv', 'people-26.csv', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['(a+)+$', 'aaaa', false],
    ['(a+)+$', '(a+)+$', true],
    ['', '', true],
    ['', 'a', false],
    ['a', '', false],
    ['**', '', true],
  ])('%j on %j: %s', (glob, name, expected) => {
    expect(globMatches(glob, name)).toBe(expected);
  });

  it('is not led astray by hostile patterns', () => {
    const started = performance.now();
    expect(globMatches('*a'.repeat(127), `${'a'.repeat(254)}b`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
