/** Finds names that are similar to a misspelt name. */

const MOST = 3;

/** The names that differ from `name` in a third of its letters at most, the most similar first; three at most. */
export const nearest = (name: string, names: readonly string[]): readonly string[] => {
  const wanted = name.toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  return [...new Set(names)]
    .filter((other) => Math.abs(other.length - name.length) <= limit)
    .map((other) => ({ other, distance: editDistance(wanted, other.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, MOST)
    .map(({ other }) => other);
};

/** The number of letters to insert, delete or replace (Levenshtein distance). */
export const editDistance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let to = 0; to < other.length; to += 1) {
      const replaced = (row[to] ?? 0) + (one[at] === other[to] ? 0 : 1);
      next.push(Math.min(replaced, (row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
};
