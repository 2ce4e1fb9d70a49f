import { expect, it } from 'vitest';
import { Turnstile } from '../../../local/http-api/turnstile.ts';

it('lets in as many as may be under way, and one more for each that ends', () => {
  const turnstile = new Turnstile();
  const enter = () => turnstile.enter('a', 2);
  expect([enter(), enter(), enter(), enter()]).toEqual([true, true, false, false]);
  turnstile.leave('a');
  expect([enter(), enter()]).toEqual([true, false]);
});

it('counts each function by itself', () => {
  const turnstile = new Turnstile();
  expect([turnstile.enter('a', 1), turnstile.enter('b', 1), turnstile.enter('a', 1)]).toEqual([
    true,
    true,
    false,
  ]);
});

it('bounds nothing without a bound, and lets none leave that never came', () => {
  const turnstile = new Turnstile();
  const many = Array.from({ length: 1_000 }, () => turnstile.enter('a', Infinity));
  expect(many.every(Boolean)).toBe(true);
  expect(() => turnstile.leave('b')).toThrow('nothing is under way');
});
