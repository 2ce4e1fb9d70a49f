/** One address: keeps the parts of several addresses in a file apart, because a street of one and a city of another are none. */
import type { FileColumn } from './file-column.ts';
import { type Candidate, type JudgedColumn, strengths } from './judge-names.ts';
import { addressTargets, rankOf } from './qualified-names.ts';

/** Parts without which there is no address of its own. */
const mainTargets: ReadonlySet<string> = new Set(['street', 'city', 'zipcode']);

/** The candidates without those of other addresses than the one with most values. `''` is the address without a qualifier. */
export const oneAddress = (columns: readonly JudgedColumn[]): readonly JudgedColumn[] => {
  const parts = columns.flatMap((column) =>
    column.candidates.flatMap((candidate) =>
      addressTargets.has(candidate.target) ? [{ column, candidate }] : [],
    ),
  );
  const chosen = chosenGroup(parts);
  if (chosen === undefined) return columns;
  return columns.map((column) => {
    const others = column.candidates.filter(
      ({ target, group, strength }) =>
        addressTargets.has(target) && group !== undefined && group !== chosen && strength < strengths.named,
    );
    const [first] = others;
    if (!first) return column;
    const other =
      chosen === '' ? 'columns without such a word have the address' : `the address is taken from ${chosen}`;
    return {
      ...column,
      candidates: column.candidates.filter((candidate) => !others.includes(candidate)),
      against: [`${first.why.slice(0, -1)}, but ${other}.`],
    };
  });
};

interface Part {
  readonly column: FileColumn;
  readonly candidate: Candidate;
}

/** The address that the request names; the address without a qualifier if it has a main part; otherwise the fullest address, then the most personal. */
const chosenGroup = (parts: readonly Part[]): string | undefined => {
  const asked = parts.find(({ candidate: { strength } }) => strength === strengths.demanded);
  if (asked?.candidate.group !== undefined) return asked.candidate.group;
  const isPlain = parts.some(
    ({ candidate: { target, strength, group } }) =>
      group === undefined && strength === strengths.named && mainTargets.has(target),
  );
  if (isPlain) return '';
  const sizes = new Map<string, number>();
  for (const { candidate, column } of parts) {
    const { group } = candidate;
    if (group !== undefined) sizes.set(group, (sizes.get(group) ?? 0) + column.values.length);
  }
  const [best] = [...sizes].toSorted(([a, size], [b, other]) => other - size || rankOf(a) - rankOf(b));
  return best?.[0];
};
