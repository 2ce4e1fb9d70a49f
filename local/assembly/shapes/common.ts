import * as v from 'valibot';

/** A property that the embedded cloud accepts and ignores. */
export const ignored = v.optional(v.unknown());

/** A template may write numbers as text. */
export const count = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.toNumber())]),
  v.integer(),
  v.minValue(0),
);
