/** Turns: every piece of work is the first of some call, whatever the period of the calls. */
import { expect, it } from 'vitest';
import { inTurn } from '../../shared/runtime/turns.ts';

const NOW = Date.parse('2026-11-28T10:00:00Z');
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

it('rotates: all pieces stay, in their order', () => {
  expect(inTurn([], NOW)).toEqual([]);
  for (let now = NOW; now < NOW + 60_000; now += 1_000) {
    const turned = inTurn(numbers(7), now);
    const at = turned.indexOf(0);
    expect([...turned.slice(at), ...turned.slice(0, at)]).toEqual(numbers(7));
  }
});

it.each([60, 120, 300, 900, 3_600])('begins with each of up to 60 pieces, every %i seconds', (seconds) => {
  for (const count of [2, 3, 4, 5, 10, 60]) {
    const calls = numbers(count * 12).map((call) => inTurn(numbers(count), NOW + call * seconds * 1_000)[0]);
    expect(new Set(calls).size).toBe(count);
  }
});
