import { describe, expect, it } from 'vitest';
import { isUnavailable } from '../../shared/runtime/aws-errors.ts';
import {
  done,
  fewRounds,
  manyRounds,
  retryOnConflict,
  retryRemaining,
  retryUntil,
} from '../../shared/runtime/retry.ts';

const pauses = () => {
  const made: number[] = [];
  return { made, pause: (attempt: number) => Promise.resolve(void made.push(attempt)) };
};

describe('retryOnConflict', () => {
  it('returns the result of the first round without a conflict, and pauses before each further round', async () => {
    const { made, pause } = pauses();
    const result = await retryOnConflict({ pause, what: 'test: an item' }, (round) =>
      Promise.resolve(round < 6 ? 'conflict' : done(round)),
    );
    expect(result).toBe(6);
    expect(made).toEqual([1, 2, 3, 4, 4, 4]);
  });

  it('ends a contention that does not end as unavailable, and names the contended item', async () => {
    let rounds = 0;
    const contended = retryOnConflict({ ...pauses(), what: 'test: an item' }, () => {
      rounds += 1;
      return Promise.resolve('conflict');
    });
    await expect(contended).rejects.toSatisfy(isUnavailable);
    await expect(contended).rejects.toThrow(`test: an item: gave up after ${manyRounds.rounds} rounds`);
    expect(rounds).toBe(manyRounds.rounds);
  });

  it('takes undefined for a result', async () => {
    let rounds = 0;
    await retryOnConflict({ ...pauses(), what: 'test' }, () => {
      rounds += 1;
      return Promise.resolve(done(undefined));
    });
    expect(rounds).toBe(1);
  });
});

describe('retryUntil', () => {
  it('returns the conflict after the last round, so that the caller can refuse', async () => {
    let rounds = 0;
    const outcome = await retryUntil(pauses(), () => {
      rounds += 1;
      return Promise.resolve('conflict');
    });
    expect(outcome).toBe('conflict');
    expect(rounds).toBe(manyRounds.rounds);
  });
});

describe('retryRemaining', () => {
  it('repeats only the items that are left', async () => {
    const seen: (readonly number[])[] = [];
    await retryRemaining({ ...pauses(), what: 'test: items' }, [1, 2, 3], (left) => {
      seen.push(left);
      return Promise.resolve(left.slice(1));
    });
    expect(seen).toEqual([[1, 2, 3], [2, 3], [3]]);
  });

  it('does nothing without items', async () => {
    await retryRemaining({ ...pauses(), what: 'test' }, [], () => Promise.reject(new Error('no items')));
  });

  it('says how many items are left when it gives up', async () => {
    const { made, pause } = pauses();
    const stuck = retryRemaining({ pause, what: 'test: items', patience: fewRounds }, [1, 2], (left) =>
      Promise.resolve(left),
    );
    await expect(stuck).rejects.toThrow('test: items (2 left): gave up');
    expect(made).toHaveLength(fewRounds.rounds - 1);
  });
});
