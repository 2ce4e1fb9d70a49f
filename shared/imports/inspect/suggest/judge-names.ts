/** Judge names: the fields that a column may fill because of its name. */
import { parseTarget } from '../../mapping/field-targets.ts';
import type { FileColumn } from './file-column.ts';
import type { ColumnTarget } from './match-columns.ts';
import { judgeValues } from './judge-values.ts';

/** A field that a column may fill, and the reason. */
export interface Candidate {
  readonly target: string;
  /** How sure it is that the column means the field; a surer candidate comes first. */
  readonly strength: number;
  readonly why: string;
}

/** How sure candidates are. */
export const strengths = { demanded: 4, named: 3 } as const;

/** The fields that the name of a column means, if its values can be those of the fields. */
export const candidatesByName = ({ values }: FileColumn, named: ColumnTarget | null): readonly Candidate[] =>
  named && judgeValues(named.target, values)
    ? [{ target: named.target, strength: strengths.named, why: `Its name means ${named.target}.` }]
    : [];

/** Candidates without times of consent that no column gives or withdraws. */
export const withConsent = (
  candidates: readonly (readonly Candidate[])[],
): readonly (readonly Candidate[])[] => {
  const said = new Set(
    candidates.flat().flatMap(({ target }) => {
      const parsed = parseTarget(target);
      return parsed?.kind === 'consent' ? [parsed.name] : [];
    }),
  );
  return candidates.map((own) =>
    own.filter(({ target, strength }) => {
      const parsed = parseTarget(target);
      return strength === strengths.demanded || parsed?.kind !== 'consentTime' || said.has(parsed.name);
    }),
  );
};
