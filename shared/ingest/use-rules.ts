/** Use rules: keeps profiles in agreement with the rules of their property about special categories. Pure rules over states. */
import { hasSpecial } from '../profiles/special.ts';
import { SPECIAL_CATEGORIES } from '../profiles/consent.ts';
import { emptyState, newestStamp, restrictionIn, type State } from '../profiles/profile-state.ts';
import { restrictionStatement } from '../profiles/restriction.ts';
import type { PropertyRules } from '../properties/rules.ts';
import { raisedAbove, stampOf, type HybridTimestamp } from '../runtime/hybrid-timestamp.ts';

/** The rule by which writers store people. */
export type UseRules = Pick<PropertyRules, 'specialCategories'>;

/**
 * Whether a stored profile follows another rule than that of its property, so that `restrictPerson` must change it. A profile
 * without special values follows either rule.
 */
export const needsRule = (state: State, { specialCategories }: UseRules, now: number): boolean => {
  const isRestricted = restrictionIn(state, SPECIAL_CATEGORIES) !== undefined;
  return specialCategories ? isRestricted : !isRestricted && hasSpecial(state, now);
};

/**
 * The statement that a state needs before it is written, because the property does not use its special values; empty if it
 * needs none. It begins a restriction and never ends one: whoever writes may have an earlier rule in memory.
 */
export const missingRule = (
  state: State,
  rules: UseRules,
  { now, stamp }: { readonly now: number; readonly stamp?: HybridTimestamp },
): State => {
  if (rules.specialCategories || !needsRule(state, rules, now)) return emptyState;
  const raised = stamp ?? raisedAbove([newestStamp(state)], stampOf(now));
  return restrictionStatement(state, SPECIAL_CATEGORIES, true, { now, stamp: raised });
};
