/** Doubt: something in a file that a person should look at before the file is imported, for `inspectImport`. */
import * as v from 'valibot';
import { described } from '../../http/described.ts';
import { shortened } from '../../runtime/shortened.ts';

/** Longest list of examples, and longest example. */
const MOST_EXAMPLES = 3;
const EXAMPLE_CHARACTERS = 60;

/** A doubt in an answer. */
export const doubt = v.object({
  column: described(
    'The column of the file. Null if the file as a whole is concerned.',
    v.nullable(v.string()),
  ),
  saw: described('What the service saw, in words.', v.string()),
  cells: described(
    'In how many cells, rows or lines of the sample the service saw it.',
    v.pipe(v.number(), v.integer()),
  ),
  examples: described(
    'Up to three of them as they are in the file, each cut to 60 characters; a `…` says that it was cut.',
    v.array(v.string()),
  ),
  does: described('What an import with the suggested definition does with them, in words.', v.string()),
});

/** A doubt about a file or one of its columns. Its sentences begin with a capital letter and end with a full stop. */
export type Doubt = Readonly<v.InferOutput<typeof doubt>>;

/**
 * The doubt about the cells in which something was seen, with the first different ones as examples. Where nothing was seen,
 * there is no doubt.
 */
export const doubtsAbout = (
  column: string | null,
  seen: readonly string[],
  { saw, does }: Pick<Doubt, 'saw' | 'does'>,
): readonly Doubt[] => {
  const cells = seen.length;
  return cells === 0 ? [] : [{ column, saw, cells, examples: examplesOf(seen), does }];
};

/** The first different texts in which something was seen. */
export const examplesOf = (seen: readonly string[]): string[] =>
  [...new Set(seen)].slice(0, MOST_EXAMPLES).map((text) => shortened(text, EXAMPLE_CHARACTERS));
