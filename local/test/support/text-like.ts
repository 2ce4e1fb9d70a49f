import { expect } from 'vitest';

/** Matches text of a form. */
export const textLike = (pattern: RegExp): unknown => expect.stringMatching(pattern);
