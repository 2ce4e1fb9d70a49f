/** Judge names: the fields that a column may fill because of its name, if its values can be those of the fields. */
import { parseTarget } from '../../mapping/field-targets.ts';
import type { FileColumn } from './file-column.ts';
import { misfit, proves } from './judge-values.ts';
import { isOptInTime } from './consent-words.ts';
import type { ColumnTarget } from './match-columns.ts';
import { optOutChannel, optOutTimeChannel } from './opt-outs.ts';
import { qualifiedTarget } from './qualified-names.ts';

/** A field that a column may fill, and the reason. */
export interface Candidate {
  readonly target: string;
  /** How sure it is that the column means the field; a surer candidate comes first. */
  readonly strength: number;
  readonly why: string;
  /** Which of several addresses, numbers or names it is. */
  readonly group?: string;
}

/** How sure candidates are: a name says more than a part of a name, and that more than values. */
export const strengths = { demanded: 4, named: 3, qualified: 2, hinted: 1, seen: 0 } as const;

/** The fields that a column may fill, and why it does not fill others that come to mind. */
export interface Judgement {
  readonly candidates: readonly Candidate[];
  readonly against: readonly string[];
}

/** No field, and nothing to say. */
export const nothing: Judgement = { candidates: [], against: [] };

/** The field that the name of a column means. */
export const judgeName = (column: FileColumn, named: ColumnTarget | null): Judgement => {
  if (!named) return judgeQualified(column);
  const { target, isDoubtful } = named;
  if (isDoubtful && !proves(column, target))
    return against(`Its name may mean ${target}, but the other columns have no names of that language.`);
  return judged(column, { target, strength: strengths.named, why: `Its name means ${target}.` });
};

/** The field that a name means without its qualifier. */
const judgeQualified = (column: FileColumn): Judgement => {
  const found = qualifiedTarget(column.name);
  if (!found) return nothing;
  const { target, group } = found;
  return judged(column, {
    target,
    group,
    strength: strengths.qualified,
    why: `Its name means ${target} (${group}).`,
  });
};

const judged = (column: FileColumn, candidate: Candidate): Judgement => {
  const noun = misfit(column, candidate.target);
  if (noun === undefined) return { candidates: [candidate], against: [] };
  return against(`${candidate.why.slice(0, -1)}, but most of its values are no ${noun}.`);
};

const against = (why: string): Judgement => ({ candidates: [], against: [why] });

/**
 * Candidates without times of consent that no column gives or withdraws. The time of an opt-in dates no opt-out, and a
 * column with the times of opt-outs has its own.
 */
export const withConsent = (
  columns: readonly FileColumn[],
  judgements: readonly Judgement[],
): readonly Judgement[] => {
  const nameAt = (index: number): string => columns[index]?.name ?? '';
  const channelsWhere = (says: (name: string) => boolean): ReadonlySet<string> =>
    new Set(
      judgements.flatMap(({ candidates }, index) =>
        candidates.flatMap(({ target }) => {
          const parsed = parseTarget(target);
          return parsed?.kind === 'consent' && says(nameAt(index)) ? [parsed.name] : [];
        }),
      ),
    );
  const said = channelsWhere((name) => optOutTimeChannel(name) === undefined);
  const given = channelsWhere(
    (name) => optOutTimeChannel(name) === undefined && optOutChannel(name) === undefined,
  );
  return judgements.map((judgement, index) => ({
    ...judgement,
    candidates: judgement.candidates.filter(({ target, strength }) => {
      const parsed = parseTarget(target);
      if (strength === strengths.demanded || parsed?.kind !== 'consentTime') return true;
      return (isOptInTime(nameAt(index)) ? given : said).has(parsed.name);
    }),
  }));
};
