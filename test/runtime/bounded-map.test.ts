import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedMap } from '../../shared/runtime/bounded-map.ts';

const LIMIT = 5;
const step = fc.record({ key: fc.integer({ min: 0, max: 12 }), deletes: fc.boolean() });

describe('a bounded map', () => {
  it('keeps the last entries, and forgets the oldest', () => {
    const map = new BoundedMap<string, number>(3);
    ['a', 'b', 'c', 'a', 'd'].forEach((key, index) => {
      map.set(key, index);
    });
    expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual([undefined, 1, 2, 4]);
  });

  it('never returns a value that was replaced or deleted, and never keeps more than its limit', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const map = new BoundedMap<number, number>(LIMIT);
        const last = new Map<number, number>();
        steps.forEach(({ key, deletes }, index) => {
          if (deletes) {
            map.delete(key);
            last.delete(key);
            return;
          }
          map.set(key, index);
          last.set(key, index);
          expect(map.get(key)).toBe(index);
        });
        const kept = [...last.keys()].filter((key) => map.get(key) !== undefined);
        expect(kept.length).toBeLessThanOrEqual(LIMIT);
        for (const key of kept) expect(map.get(key)).toBe(last.get(key));
      }),
    );
  });
});
