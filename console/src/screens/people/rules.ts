/** An explanation of a membership as rules that a reader goes through: one line each, with what decides. */
import type { Answer } from '../../../../client/src/types.ts';

/** Whether somebody is in a segment, and why. */
export type Membership = Answer<'explainMembership'>;

type Reason = Membership['why'];

/** A value that decides, or that stands in the way. */
export type Evidence = Extract<Reason, { readonly kind: 'value' }>['because'][number];

/** How the parts of a rule are joined. */
export type Joined = 'all' | 'any';

/** A rule: about a segment, or a group of rules. */
export interface Rule {
  readonly holds: boolean;
  /** Whether the result follows from this rule. */
  readonly decides: boolean;
  /** Whether the rule asks for the opposite. */
  readonly negated: boolean;
  /** The segment that the rule names; a group has none. The name is null once the segment is deleted. */
  readonly segment?: { readonly id: number; readonly name: string | null; readonly type: string };
  readonly because: readonly Evidence[];
  readonly instead: readonly Evidence[];
  /** When a moment was taken; other rules have none. */
  readonly takenAt?: string | null;
  readonly joined: Joined;
  readonly parts: readonly Rule[];
}

const leaf = { because: [], instead: [], negated: false, joined: 'all', parts: [] } as const;

/** The rule of an explanation. A negation becomes one with what it negates, and a segment with its definition. */
export const ruleOf = (reason: Reason): Rule => {
  const { holds, decides } = reason;
  switch (reason.kind) {
    case 'value': {
      const { segment, because, instead } = reason;
      return { ...leaf, holds, decides, segment, because, instead };
    }
    case 'everyone':
      return { ...leaf, holds, decides, segment: reason.segment };
    case 'moment':
      return { ...leaf, holds, decides, segment: reason.segment, takenAt: reason.taken_at };
    case 'custom':
      return { ...leaf, holds, decides, segment: reason.segment, ...joinedParts(reason.of) };
    case 'not': {
      const [inner] = reason.of.map(ruleOf);
      return inner ? { ...inner, holds, decides, negated: !inner.negated } : { ...leaf, holds, decides };
    }
    case 'all':
    case 'any':
      return { ...leaf, holds, decides, joined: reason.kind, parts: reason.of.map(ruleOf) };
  }
};

/** The parts of a definition: those of its only group, or the one rule that it is. */
const joinedParts = (of: readonly Reason[]): Pick<Rule, 'joined' | 'parts'> => {
  const parts = of.map(ruleOf);
  const [only] = parts;
  return parts.length === 1 && only && only.segment === undefined && !only.negated
    ? { joined: only.joined, parts: only.parts }
    : { joined: 'all', parts };
};

/** The sources that an explanation names. */
export const sourcesIn = ({ because, instead, parts }: Rule): readonly string[] => [
  ...[...because, ...instead].map(({ source }) => source),
  ...parts.flatMap(sourcesIn),
];
