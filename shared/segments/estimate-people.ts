/** Estimate: how many people a definition with rules describes, by a sample of those who may be meant. */
import { estimateOf, type Estimate } from '../catalogue/conditions/estimate.ts';
import { ruleOf, unreadableFor } from '../catalogue/conditions/rule.ts';
import { RuleSet } from '../catalogue/conditions/rule-set.ts';
import type { Where } from '../catalogue/conditions/shape.ts';
import { idsIn, isIn } from '../catalogue/definition.ts';
import { isSomebody } from '../catalogue/derive.ts';
import type { SegmentExpression } from '../catalogue/types.ts';
import { limits } from '../config/limits.ts';
import { countBits, hasBit, offsetsFrom } from '../membership/chunk.ts';
import type { MembersOf } from '../membership/expression-plan.ts';
import { detailedChunks, type DetailedChunk } from '../membership/read-members.ts';
import type { ReadProfiles, ShownProfile } from '../profiles/profile-repository.ts';
import type { ResolvedProfile } from '../profiles/types.ts';
import { Reservoir } from '../runtime/reservoir.ts';
import { workBudget } from '../runtime/work-budget.ts';
import type { Table } from '../table/table.ts';
import { isRule, ruleIndex } from './preview-definition.ts';

/** `random` returns numbers from 0 to below 1. */
export interface EstimateDeps {
  readonly table: Table;
  readonly readProfiles: ReadProfiles;
  readonly random: () => number;
}

/** What is estimated: `expression` has numbers below zero in place of its rules. */
export interface Estimated {
  readonly expression: SegmentExpression;
  readonly wheres: readonly Where[];
  /** All people of whom some may be meant, with all segments of the expression. */
  readonly population: MembersOf;
  /** Epoch milliseconds: the time of the windows. */
  readonly now: number;
}

/** What the people who were read have of a rule. */
export interface RuleFindings {
  readonly where: Where;
  /** People who have a value of the field. */
  readonly with_value: number;
  /** Those of them with a value that the operator cannot read. */
  readonly unreadable: number;
}

/** How many people are meant, and some of them in order of ordinal. */
export interface PeopleEstimate {
  readonly estimate: Estimate & { readonly profiles_read: number };
  readonly conditions: readonly RuleFindings[];
  readonly shown: readonly ShownProfile[];
}

/** A person who was drawn, and their segments. */
interface Drawn {
  readonly ordinal: number;
  readonly segments: ReadonlySet<number>;
}

/**
 * Counts the population exactly, reads people who are drawn from it, and judges them: their segments by the index, the rules
 * by their profiles. A population that is read as a whole gives the exact number. People whose profiles are very large are
 * fewer, and so are those of whom many rules compare long values: both are bounded (`limits.work.pageProfiles`,
 * `limits.work.previewValues`), to some seconds of a processor.
 */
export const estimatePeople = async (deps: EstimateDeps, asked: Estimated): Promise<PeopleEstimate> => {
  const { seen: population, items } = await drawPeople(deps, asked.population);
  const bySegments = new Map(items.map(({ ordinal, segments }) => [ordinal, segments]));
  const judge = new Judge(asked);
  const work = workBudget(limits.work.pageProfiles);
  // In no order: where the work ends early, those who were read are still drawn by chance.
  const ordinals = shuffled([...bySegments.keys()], deps.random);
  let read = 0;
  for await (const profile of deps.readProfiles(asked.population.property, ordinals, work)) {
    if (!judge.see(profile, bySegments.get(profile.ordinal) ?? new Set())) break;
    read += 1;
  }
  // Who has no profile was forgotten a moment ago.
  const size = work.take(0) && judge.hasTime ? items.length : read;
  const estimate = estimateOf({ size, matches: judge.matches, population });
  return {
    estimate: { ...estimate, profiles_read: size },
    conditions: judge.findings(),
    shown: judge.shown,
  };
};

/** Draws people of a population, and counts it. */
const drawPeople = async (
  { table, random }: EstimateDeps,
  population: MembersOf,
): Promise<Reservoir<Drawn>> => {
  const ids = [...new Set(idsIn(population.expression).map(({ id }) => id))];
  const drawn = new Reservoir<Drawn>(limits.segments.peopleDrawn, random);
  for await (const chunk of detailedChunks(table, population)) {
    // Most chunks of a large population have nobody who is drawn.
    let people: ((index: number) => Drawn) | undefined;
    drawn.see(countBits(chunk.bits), (index) => (people ??= peopleOf(chunk, ids))(index));
  }
  return drawn;
};

/** The people of a chunk by their index, each with those of some segments that they are in. */
const peopleOf = ({ base, bits, of }: DetailedChunk, ids: readonly number[]): ((index: number) => Drawn) => {
  const offsets = offsetsFrom(bits);
  const members = ids.map((id) => ({ id, bits: of(id) }));
  return (index) => {
    const offset = offsets[index] ?? 0;
    const held = members.filter((one) => hasBit(one.bits, offset));
    return { ordinal: base + offset, segments: new Set(held.map(({ id }) => id)) };
  };
};

const shuffled = (ordinals: readonly number[], random: () => number): readonly number[] =>
  ordinals
    .map((ordinal) => ({ ordinal, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ ordinal }) => ordinal);

interface SeenRule {
  readonly where: Where;
  having: number;
  unreadable: number;
}

/** What is asked about each rule: each question is a rule of the set that judges a profile. */
const QUESTIONS = 3;

/** The numbers of the questions about a rule: whether it holds, has a value, and has one that it cannot read. */
const questionsOf = (index: number) => ({
  holds: index * QUESTIONS,
  having: index * QUESTIONS + 1,
  unreadable: index * QUESTIONS + 2,
});

/** Judges people one by one, and keeps little of each. */
class Judge {
  readonly #asked: Estimated;
  readonly #seen: readonly SeenRule[];
  readonly #rules: RuleSet;
  readonly #work = workBudget(limits.work.previewValues);
  #shown: readonly ShownProfile[] = [];
  #matches = 0;

  constructor(asked: Estimated) {
    this.#asked = asked;
    this.#seen = asked.wheres.map((where) => ({ where, having: 0, unreadable: 0 }));
    this.#rules = new RuleSet(
      asked.wheres.flatMap((where, index) => {
        const { holds, having, unreadable } = questionsOf(index);
        const rule = ruleOf(where);
        return [
          { id: holds, rule },
          { id: having, rule: ruleOf({ field: where.field, op: 'exists' }) },
          { id: unreadable, rule: unreadableFor(rule) },
        ];
      }),
    );
  }

  /** Whether there is work left: everybody was judged so far. */
  get hasTime(): boolean {
    return this.#work.take(0);
  }

  /** People who are meant. */
  get matches(): number {
    return this.#matches;
  }

  /** The first people who are meant, as many as a preview shows. */
  get shown(): readonly ShownProfile[] {
    return this.#shown;
  }

  /** What was found of the rules, in their order. */
  findings(): readonly RuleFindings[] {
    return this.#seen.map(({ where, having, unreadable }) => ({ where, with_value: having, unreadable }));
  }

  /** Judges a person; false when the rules have cost too much by then, and the person does not count. */
  see(profile: ResolvedProfile, segments: ReadonlySet<number>): boolean {
    if (!isSomebody(profile)) return true;
    if (!this.#work.take(this.#rules.costOf(profile))) return false;
    const { expression, now } = this.#asked;
    const met = new Set(this.#rules.matching(profile, now));
    for (const [index, seen] of this.#seen.entries()) {
      const { having, unreadable } = questionsOf(index);
      if (met.has(having)) seen.having += 1;
      if (met.has(unreadable)) seen.unreadable += 1;
    }
    const holds = (leaf: number): boolean =>
      isRule(leaf) ? met.has(questionsOf(ruleIndex(leaf)).holds) : segments.has(leaf);
    if (isIn(expression, holds)) this.#keep(profile);
    return true;
  }

  #keep({ ordinal, fields }: ShownProfile): void {
    this.#matches += 1;
    this.#shown = [...this.#shown, { ordinal, fields }]
      .sort((one, other) => one.ordinal - other.ordinal)
      .slice(0, limits.segments.previewProfiles);
  }
}
