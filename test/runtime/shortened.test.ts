import { expect, it } from 'vitest';
import { firstOf } from '../../shared/runtime/shortened.ts';

it.each([
  [2, 'a, b'],
  [3, 'a, b and 1 more'],
])('of %i items two are named, and no text of another is asked for', (count, text) => {
  const asked: string[] = [];
  const textOf = (item: string) => (asked.push(item), item);
  expect(firstOf(['a', 'b', 'c'].slice(0, count), 2, textOf)).toBe(text);
  expect(asked).toEqual(['a', 'b']);
});
