import type { Block } from '../../shared/membership/pairs.ts';

/** The block of some segments and the ordinals from `from` to `to`. */
export const blockOf = (segments: readonly number[], from: number, to: number): Block => ({
  segments,
  ordinals: Array.from({ length: to - from + 1 }, (_, index) => from + index),
});
