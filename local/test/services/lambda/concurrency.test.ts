import { describe, expect, it } from 'vitest';
import { createConcurrency, reservationProblem } from '../../../services/lambda/concurrency.ts';

describe('concurrent executions', () => {
  it('beyond the limit of the account are throttled, until another execution ends', () => {
    const executions = createConcurrency({ account: 2, reserved: new Map() });
    const leave = executions.enter('a');
    executions.enter('b');
    expect(() => executions.enter('a')).toThrow(
      expect.objectContaining({
        code: 'TooManyRequestsException',
        status: 429,
        message: 'Rate Exceeded.',
        extra: { Reason: 'ConcurrentInvocationLimitExceeded', Type: 'User' },
      }),
    );
    leave();
    expect(executions.enter('c')).toBeTypeOf('function');
  });

  it('of a function with reserved concurrency have a pool of their own', () => {
    const executions = createConcurrency({ account: 102, reserved: new Map([['mine', 2]]) });
    for (let count = 0; count < 100; count += 1) executions.enter('other');
    executions.enter('mine');
    executions.enter('mine');
    expect(() => executions.enter('other')).toThrow(
      expect.objectContaining({ extra: { Reason: 'ConcurrentInvocationLimitExceeded', Type: 'User' } }),
    );
    expect(() => executions.enter('mine')).toThrow(
      expect.objectContaining({
        extra: { Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded', Type: 'User' },
      }),
    );
  });

  it.each([
    [1_000, 900, undefined],
    [1_000, 901, 'minimum value of [100]'],
    [10, 1, 'minimum value of [10]'],
    [10, undefined, undefined],
  ])('of an account with %i cannot be reserved as Lambda refuses it: %s', (account, count, problem) => {
    const reserved = new Map(count === undefined ? [] : [['f', count]]);
    const found = reservationProblem({ account, reserved });
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });
});
