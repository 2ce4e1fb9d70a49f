/** Page programs: finds the whole programs in a document, to run them as they stand. */

/** The programs of a document by the names of their files: blocks of code whose first line is a comment `nightly.py: …`. */
export const programsIn = (page: string): ReadonlyMap<string, string> =>
  new Map(
    [...page.matchAll(/^```(?:ts|py)\n((?:\/\/|#) ([a-z]+\.[a-z]+): .*?)^```$/gms)].map(
      ([, text = '', name = '']) => [name, text],
    ),
  );
