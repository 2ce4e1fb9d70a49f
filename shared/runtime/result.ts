/** An expected outcome: a value, or a typed failure. Exceptions are for bugs and for failures that should be retried. */
export type Result<T, E> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

/** Wraps a value as a success. */
export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value });

/** Wraps a failure. */
export const err = <E>(error: E): Result<never, E> => ({ ok: false, error });
