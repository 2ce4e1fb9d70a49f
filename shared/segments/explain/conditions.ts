/** Conditions: explain a membership as a tree of conditions, each with its verdict and evidence. */
import { limits } from '../../config/limits.ts';
import { identityKey } from '../../catalogue/identity.ts';
import { isMember, planExpression } from '../../membership/expression-plan.ts';
import type { Segment, SegmentIdentity, SegmentExpression } from '../../catalogue/types.ts';
import type { ConditionEvidence } from './condition-evidence.ts';
import type { EvidenceIndex } from './evidence.ts';
import type { Evidence, Reason } from './schemas.ts';

/** The facts about one profile and the requested segments. */
export interface Known {
  readonly property: number;
  readonly segments: ReadonlyMap<number, Segment>;
  /** Whether the index contains the profile in a segment. Not for custom segments. */
  readonly holds: (segment: number) => boolean;
  /** The segments that follow from the present values of the profile, by `identityKey`. */
  readonly derived: ReadonlyMap<string, SegmentIdentity>;
  readonly evidence: EvidenceIndex;
}

/** A definition and its expansion. */
interface Condition {
  readonly definition: SegmentExpression;
  readonly members: SegmentExpression;
}

/** Whether the index still has to follow the profile in a segment. The members of a moment do not follow from profiles. */
export const isPending = ({ holds, derived }: Pick<Known, 'holds' | 'derived'>, segment: Segment): boolean =>
  segment.type !== 'moment' &&
  segment.custom === undefined &&
  segment.retired === undefined &&
  holds(segment.id) !== derived.has(identityKey(segment));

/**
 * Explains a segment by its conditions and their verdicts. A condition decides if the result follows from the deciding
 * conditions.
 */
export const explainCondition = (known: Known, segment: Segment): Reason => {
  const members = segment.custom?.members ?? segment.id;
  return new Reasons(known).of({ definition: segment.id, members }, true);
};

/** Builds the conditions of one response, whose size is bounded. */
class Reasons {
  readonly #known: Known;
  #bytesLeft: number = limits.segments.evidenceBytes;

  constructor(known: Known) {
    this.#known = known;
  }

  of({ definition, members }: Condition, decides: boolean): Reason {
    const { property, holds: has } = this.#known;
    const holds = isMember(planExpression(property, members), has);
    if (typeof definition === 'number') {
      return definition === members
        ? this.#segment(definition, { holds, decides })
        : this.#custom(definition, members, { holds, decides });
    }
    const [kind, parts] = partsOf(definition);
    const [, written] = typeof members === 'number' ? [kind, []] : partsOf(members);
    const of = parts.map((part, at) => {
      const condition = { definition: part, members: written[at] ?? part };
      return this.of(condition, decides && this.#matters(kind, holds, condition.members));
    });
    return { kind, holds, decides, of };
  }

  /**
   * In an `all` that fails, the failing parts matter; in an `any` that holds, the parts that hold; otherwise every
   * part.
   */
  #matters(kind: 'all' | 'any' | 'not', holds: boolean, part: SegmentExpression): boolean {
    if (kind === 'not' || (kind === 'all') === holds) return true;
    return isMember(planExpression(this.#known.property, part), this.#known.holds) === holds;
  }

  #custom(id: number, members: SegmentExpression, verdict: Verdict): Reason {
    const segment = this.#known.segments.get(id);
    const definition = segment?.custom?.definition ?? members;
    return {
      kind: 'custom',
      ...verdict,
      segment: { id, name: segment?.name ?? null, type: 'custom' },
      of: [this.of({ definition, members }, verdict.decides)],
    };
  }

  #segment(id: number, verdict: Verdict): Reason {
    const segment = this.#known.segments.get(id);
    if (!segment) throw new Error('segments: a definition names an unknown segment');
    const shown = { id, name: segment.name, type: segment.type };
    if (segment.type === 'moment')
      return { kind: 'moment', ...verdict, segment: shown, taken_at: momentTime(segment.name) };
    const pending = isPending(this.#known, segment);
    if (segment.type === 'everyone') return { kind: 'everyone', ...verdict, segment: shown, pending };
    const found = this.#evidenceOf(segment);
    const because = this.#fitting(found.because);
    const instead = this.#fitting(found.instead);
    return { kind: 'value', ...verdict, segment: shown, pending, because, instead };
  }

  #evidenceOf(segment: Segment): ConditionEvidence {
    const { evidence, derived } = this.#known;
    if (segment.condition?.where) return evidence.ofCondition(segment.condition.where);
    const key = identityKey(segment);
    return { because: evidence.because(key), instead: derived.has(key) ? [] : evidence.instead(segment) };
  }

  #fitting(evidence: readonly Evidence[]): Evidence[] {
    return evidence.slice(0, limits.segments.evidencePerCondition).filter((one) => {
      this.#bytesLeft -= Buffer.byteLength(JSON.stringify(one));
      return this.#bytesLeft >= 0;
    });
  }
}

type Verdict = Pick<Reason, 'holds' | 'decides'>;

const partsOf = (
  target: Exclude<SegmentExpression, number>,
): readonly ['all' | 'any' | 'not', readonly SegmentExpression[]] => {
  if ('not' in target) return ['not', [target.not]];
  return 'all' in target ? ['all', target.all] : ['any', target.any];
};

/** The time of a moment, from its name: the name of the timeline, and the time. */
const momentTime = (name: string): string | null =>
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.exec(name)?.[0] ?? null;
