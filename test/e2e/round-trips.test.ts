import { beforeAll, describe, expect, it } from 'vitest';
import type { ObservedCall } from '../../local/gateway/pipeline.ts';
import { chainOf, measureRoundTrips, type RoundTrips } from '../support/round-trips.ts';

const call = (action: string, began: number, ended: number): ObservedCall => ({
  caller: 'f',
  action,
  began,
  ended,
});

it('calls that run side by side count once', () => {
  const calls = [call('a', 0, 20), call('b', 1, 21), call('c', 22, 42), call('d', 23, 43), call('e', 44, 64)];
  expect(chainOf(calls).map(({ action }) => action)).toEqual(['a', 'c', 'e']);
});

describe('on the critical path of a warm function', () => {
  let measured: readonly RoundTrips[];
  beforeAll(async () => {
    measured = (await measureRoundTrips()).warm;
  });

  it.each([
    ['look up a profile', 3],
    ['store a known profile', 7],
    ['read a page of a segment', 5],
  ])('to %s takes at most %i AWS calls in sequence', (name, most) => {
    const found = measured.find((one) => one.name === name);
    expect(found?.status).toBe(200);
    expect(found?.chain.length, found?.chain.join(' ')).toBeLessThanOrEqual(most);
    expect(found?.chain.length).toBeGreaterThan(1);
  });
});
