import { RuleSet } from '../../../shared/catalogue/conditions/rule-set.ts';
import type { Rule } from '../../../shared/catalogue/conditions/rule.ts';
import type { ResolvedProfile } from '../../../shared/profiles/types.ts';

/** Whether a condition holds for a profile at a time (epoch milliseconds), on its UTC day. */
export const holdsFor = (rule: Rule, profile: ResolvedProfile, now: number): boolean =>
  new RuleSet([{ id: 1, rule }]).matching(profile, now).length > 0;
