/** Estimate: how many people a definition with rules describes, by a sample of those who may be meant. */
import { estimateOf, type Estimate } from '../catalogue/conditions/estimate.ts';
import { ruleOf, type Rule } from '../catalogue/conditions/rule.ts';
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
 * fewer, because their characters are bounded (`limits.work.pageProfiles`).
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
    judge.see(profile, bySegments.get(profile.ordinal) ?? new Set());
    read += 1;
  }
  // Who has no profile was forgotten a moment ago.
  const size = work.take(0) ? items.length : read;
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
  readonly rule: Rule;
  readonly exists: Rule;
  having: number;
  unreadable: number;
}

/** Judges people one by one, and keeps little of each. */
class Judge {
  readonly #asked: Estimated;
  readonly #rules: readonly SeenRule[];
  #shown: readonly ShownProfile[] = [];
  #matches = 0;

  constructor(asked: Estimated) {
    this.#asked = asked;
    this.#rules = asked.wheres.map((where) => ({
      where,
      rule: ruleOf(where),
      exists: ruleOf({ field: where.field, op: 'exists' }),
      having: 0,
      unreadable: 0,
    }));
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
    return this.#rules.map(({ where, having, unreadable }) => ({ where, with_value: having, unreadable }));
  }

  see(profile: ResolvedProfile, segments: ReadonlySet<number>): void {
    if (!isSomebody(profile)) return;
    const { expression, now } = this.#asked;
    for (const seen of this.#rules) {
      if (!seen.exists.holds(profile, now)) continue;
      seen.having += 1;
      if (seen.rule.readsOf(profile).unreadable) seen.unreadable += 1;
    }
    const holds = (leaf: number): boolean =>
      isRule(leaf) ? this.#rules[ruleIndex(leaf)]?.rule.holds(profile, now) === true : segments.has(leaf);
    if (!isIn(expression, holds)) return;
    this.#matches += 1;
    const { ordinal, fields } = profile;
    this.#shown = [...this.#shown, { ordinal, fields }]
      .sort((one, other) => one.ordinal - other.ordinal)
      .slice(0, limits.segments.previewProfiles);
  }
}
