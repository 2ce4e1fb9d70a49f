import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { KeyLocks } from '../../../services/dynamodb/key-locks.ts';

describe('key locks', () => {
  it('let one holder at a time into each key, in the order of their arrival', async () => {
    const locks = new KeyLocks();
    const holders = new Map<string, number>();
    const order: number[] = [];
    const hold = async (number: number, keys: readonly string[]): Promise<void> => {
      await locks.enter(keys);
      order.push(number);
      for (const key of keys) {
        expect(holders.has(key), `${key} has one holder`).toBe(false);
        holders.set(key, number);
      }
      await nextTurn();
      for (const key of keys) holders.delete(key);
      locks.leave(keys);
    };
    await Promise.all([
      hold(0, ['a']),
      hold(1, ['a', 'b']),
      hold(2, ['b', 'c']),
      hold(3, ['c', 'a']),
      hold(4, ['d']),
      hold(5, ['c']),
    ]);
    expect(order.filter((number) => number !== 4)).toEqual([0, 1, 2, 3, 5]);
    expect(order.indexOf(4)).toBeLessThan(order.indexOf(1));
  });

  it('are free again after their last holder, without a wait', () => {
    const locks = new KeyLocks();
    expect(locks.enter(['a', 'b'])).toBeUndefined();
    expect(locks.enter(['b'])).toBeInstanceOf(Promise);
    locks.leave(['a', 'b']);
    expect(locks.enter(['a'])).toBeUndefined();
  });
});
