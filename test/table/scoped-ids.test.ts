import { expect, it } from 'vitest';
import { belongsTo, MAX_PROPERTY, scopedId } from '../../shared/table/scoped-ids.ts';

it('an id belongs to the property that issued it, and to no other', () => {
  expect(belongsTo(3, scopedId(3, 1))).toBe(true);
  expect(belongsTo(3, scopedId(3, 999_999_999))).toBe(true);
  expect(belongsTo(4, scopedId(3, 1))).toBe(false);
  expect(belongsTo(2, scopedId(3, 1))).toBe(false);
  expect(belongsTo(3, 1)).toBe(false);
});

it('a number that no id can be belongs to no property', () => {
  for (const id of [3_000_000_000.5, Number.NaN, Number.POSITIVE_INFINITY])
    expect(belongsTo(3, id)).toBe(false);
  // Such numbers stand for several integers at once.
  expect(belongsTo(9_007_199, 2 ** 53)).toBe(false);
});

it('ids of the largest property are exact', () => {
  const last = scopedId(MAX_PROPERTY, 999_999_999);
  expect(Number.isSafeInteger(last)).toBe(true);
  expect(belongsTo(MAX_PROPERTY, last)).toBe(true);
});
