/** Preview definition: a definition in which conditions stand that nobody has created, and the people among whom to look. */
import * as v from 'valibot';
import { canonicalOf } from '../catalogue/conditions/canonical.ts';
import type { Where } from '../catalogue/conditions/shape.ts';
import { whereSchema } from '../catalogue/conditions/where.ts';
import { formsOf, measured, namedForm, type Combined, type SentDefinition } from '../catalogue/definition.ts';
import type { NamedSegment } from '../catalogue/segment-refs.ts';
import type { SegmentExpression } from '../catalogue/types.ts';
import { described } from '../http/described.ts';

/** A definition for a preview: rules may stand where segments do. */
export type PreviewDefinition = Combined<
  number | { readonly named: NamedSegment } | { readonly where: Where }
>;

/** A rule where a segment may stand. */
const whereForm = v.strictObject({
  where: described('A rule over one field of a profile, in place of a segment.', whereSchema),
});

type Leaf = { readonly named: NamedSegment } | { readonly where: Where };

/** What may stand in a definition for a preview, besides ids. */
export const previewForms = { ...formsOf<Leaf>({ named: namedForm, where: whereForm }), where: whereForm };

/** The schema of a definition for a preview. */
export const previewDefinition: v.GenericSchema<PreviewDefinition> = measured(previewForms.node);

/** A definition that has a number below zero in place of each rule: -1 for the first. Ids of segments are above zero. */
export interface OpenDefinition {
  readonly definition: SentDefinition;
  /** The different rules, in the order in which they are named first. */
  readonly wheres: readonly Where[];
}

/** Takes the rules out of a definition. Rules that mean the same are one. */
export const openDefinition = (sent: PreviewDefinition): OpenDefinition => {
  const wheres = new Map<string, Where>();
  const placeOf = (where: Where): number => {
    const key = canonicalOf(where);
    if (!wheres.has(key)) wheres.set(key, where);
    return -1 - [...wheres.keys()].indexOf(key);
  };
  const opened = (part: PreviewDefinition): SentDefinition => {
    if (typeof part === 'number' || 'named' in part) return part;
    if ('where' in part) return placeOf(part.where);
    if ('not' in part) return { not: opened(part.not) };
    return 'all' in part ? { all: part.all.map(opened) } : { any: part.any.map(opened) };
  };
  return { definition: opened(sent), wheres: [...wheres.values()] };
};

/** Whether a number stands for a rule. */
export const isRule = (leaf: number): boolean => leaf < 0;

/** The index of the rule that a number stands for. */
export const ruleIndex = (leaf: number): number => -1 - leaf;

/**
 * The smallest set that the index can count and that has all people of a definition: a rule may hold for everyone, and under
 * an odd number of `not` for nobody. Undefined for everyone.
 */
export const populationOf = (
  expression: SegmentExpression,
  isPositive = true,
): SegmentExpression | undefined => {
  if (typeof expression === 'number') return isRule(expression) ? undefined : expression;
  if ('not' in expression) {
    const inner = populationOf(expression.not, !isPositive);
    return inner === undefined ? undefined : { not: inner };
  }
  const [kind, sent] = 'all' in expression ? ['all', expression.all] : ['any', expression.any];
  const parts = sent.map((part) => populationOf(part, isPositive));
  const known = parts.filter((part) => part !== undefined);
  // Everyone adds nothing to an `all`, and is all of an `any`; nobody is the reverse.
  const isOpen = (kind === 'all') === isPositive ? known.length === 0 : known.length < parts.length;
  if (isOpen) return undefined;
  return kind === 'all' ? { all: known } : { any: known };
};
