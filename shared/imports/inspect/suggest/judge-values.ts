/** Judge values: whether the values of a column can be those of a field. */
import { parseTarget } from '../../mapping/field-targets.ts';
import { readsAsConsent } from './suggest-consent.ts';

/** Whether the values can be those of a field. `Newsletter` means consent only if its values say yes or no. */
export const judgeValues = (target: string, values: readonly string[]): boolean =>
  parseTarget(target)?.kind !== 'consent' || readsAsConsent(values);
