/** Unless: the results of calls that may fail in an expected way. */

/** An error that is expected: what AWS answers where there is nothing to find, or nothing left to do. */
export type Expected = (error: Error) => boolean;

/** Errors of these names. */
export const named =
  (...names: readonly string[]): Expected =>
  ({ name }) =>
    names.includes(name);

/** The result of a call; `undefined` when it fails with an expected error. */
export const unless = async <T>(expected: Expected, call: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Error && expected(error)) return undefined;
    throw error;
  }
};
