/** Did you mean: finds the known name that a person most probably meant. */

/** Longer texts get no suggestion, because the comparison costs the product of both lengths. */
const MAX_LENGTH = 64;

/** More known names than that are compared only up to here. */
const MAX_NAMES = 1_000;

/**
 * The known name that is nearest to `given`; undefined when none is near. Near means: few typing errors (one for each
 * three letters), or a known name that holds `given` as words of its own (`phone` in `phone_number`, `65+` in `Age: 65+`).
 */
export const nearest = (given: string, known: readonly string[]): string | undefined => {
  if (given === '' || given.length > MAX_LENGTH) return undefined;
  const wanted = given.toLowerCase();
  const bound = Math.max(1, Math.floor(wanted.length / 3));
  const scored = known
    .slice(0, MAX_NAMES)
    .filter((name) => name !== given && name.length <= MAX_LENGTH)
    .map((name) => ({ name, distance: distance(wanted, name.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);
  const [best] = scored;
  // A name of two letters is one error away from every other such name.
  if (best && best.distance <= bound && best.distance < wanted.length - 1) return best.name;
  return scored.find(({ name }) => wanted.length > 2 && holdsWords(name.toLowerCase(), wanted))?.name;
};

/** ` Did you mean x?` for the end of a message; an empty text without a near name. */
export const didYouMean = (given: string, known: readonly string[]): string => {
  const name = nearest(given, known);
  return name === undefined ? '' : ` Did you mean ${name}?`;
};

/** Whether neither a letter nor a digit stands before and behind some place of `wanted` in `name`. */
const holdsWords = (name: string, wanted: string): boolean =>
  ` ${name} `
    .split(wanted)
    .some((before, index, parts) => endsWord.test(before) && beginsWord.test(parts[index + 1] ?? 'x'));
const endsWord = /[^\p{L}\p{N}]$/u;
const beginsWord = /^[^\p{L}\p{N}]/u;

/** Damerau-Levenshtein distance (optimal string alignment): insertions, deletions, changes and swaps of neighbours. */
const distance = (one: string, other: string): number => {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const next: number[] = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next.push(
        Math.min(
          at(last, column) + 1,
          at(next, column - 1) + 1,
          at(last, column - 1) + (same ? 0 : 1),
          swapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = last;
    last = next;
  }
  return at(last, other.length);
};

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY;
