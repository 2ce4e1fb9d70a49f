import { expect, it } from 'vitest';
import { RequestLimiter } from '../../http-api/request-limiter.ts';

it('the limiter admits requests up to its bound, and another request for each request that ends', () => {
  const limiter = new RequestLimiter();
  const enter = () => limiter.enter('a', 2);
  expect([enter(), enter(), enter(), enter()]).toEqual([true, true, false, false]);
  limiter.leave('a');
  expect([enter(), enter()]).toEqual([true, false]);
});

it('the limiter counts each function by itself', () => {
  const limiter = new RequestLimiter();
  expect([limiter.enter('a', 1), limiter.enter('b', 1), limiter.enter('a', 1)]).toEqual([true, true, false]);
});

it('a limiter without a bound admits all requests, and throws at the end of a request that it never admitted', () => {
  const limiter = new RequestLimiter();
  const many = Array.from({ length: 1_000 }, () => limiter.enter('a', Infinity));
  expect(many.every(Boolean)).toBe(true);
  expect(() => limiter.leave('b')).toThrow('no request to b is running');
});
