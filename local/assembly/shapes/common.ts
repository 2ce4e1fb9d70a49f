import * as v from 'valibot';

/** A property that is accepted and has no meaning on one machine. */
export const ignored = v.optional(v.unknown());

/** Numbers may arrive as text from a template. */
export const count = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.toNumber())]),
  v.integer(),
  v.minValue(0),
);
