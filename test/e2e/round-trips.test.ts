import { beforeAll, describe, expect, it } from 'vitest';
import type { ObservedCall } from '../../local/gateway/pipeline.ts';
import { chainOf, measureRoundTrips, NOBODY, type RoundTrips } from '../support/round-trips.ts';

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

let measured: Awaited<ReturnType<typeof measureRoundTrips>>;
beforeAll(async () => {
  measured = await measureRoundTrips();
});

const named = (requests: readonly RoundTrips[], name: string): RoundTrips => {
  const found = requests.find((one) => one.name === name);
  if (!found) throw new Error(`There is no request to ${name}.`);
  return found;
};

describe('on the critical path of a warm function', () => {
  it.each([
    ['look up a profile', 200, 1],
    ['look up another profile', 200, 2],
    ['explain a profile', 200, 1],
    [NOBODY, 404, 2],
    ['store a known profile', 200, 3],
    ['move a known profile to another segment', 200, 7],
    ['store a new profile', 201, 5],
    ['read a page of a segment', 200, 5],
  ])('to %s answers %i after at most %i AWS calls in sequence', (name, success, most) => {
    const { status, chain } = named(measured.warm, name);
    expect(status).toBe(success);
    expect(chain.length, chain.join(' ')).toBeLessThanOrEqual(most);
    expect(chain.length).toBeGreaterThan(0);
  });
});

describe('the first request of a new process', () => {
  it.each([
    ['show the caller', 200, 7, 5],
    ['look up a profile', 200, 9, 6],
    ['explain a profile', 200, 9, 6],
    // It reads the list of conditions beside what decides the other segments.
    ['store a known profile', 200, 14, 9],
    // It makes the first segments, too, and is charged for more than a request's units beside its entry in the audit log.
    ['store a new profile', 201, 25, 16],
    ['read a page of a segment', 200, 12, 9],
    ['read a segment with its count', 200, 7, 6],
    ['list imports', 200, 5, 4],
  ])(
    'to %s answers %i after at most %i AWS calls, %i of them in sequence',
    (name, success, most, mostInSequence) => {
      const { status, calls, chain } = named(measured.first, name);
      expect(status).toBe(success);
      expect(calls.length, calls.join(' ')).toBeLessThanOrEqual(most);
      expect(chain.length, chain.join(' ')).toBeLessThanOrEqual(mostInSequence);
      // A process that starts reads the token, and the user.
      expect(chain.length).toBeGreaterThan(2);
    },
  );
});
