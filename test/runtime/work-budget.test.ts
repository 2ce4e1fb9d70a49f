import { describe, expect, it } from 'vitest';
import { workBudget } from '../../shared/runtime/work-budget.ts';

describe('a work budget', () => {
  it('gives exactly its amount', () => {
    const work = workBudget(10);
    expect([work.take(4), work.take(6), work.take(1)]).toEqual([true, true, false]);
  });

  it('gives nothing to a larger amount than is left, and nothing after that', () => {
    const work = workBudget(10);
    expect([work.take(11), work.take(1)]).toEqual([false, false]);
  });
});
