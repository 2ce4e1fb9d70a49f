/**
 * Restriction: the statement by which a use of a person's data begins or ends to be restricted. A person restricts every
 * use, and a property the use of special categories. A pure rule over states.
 */
import { stampTime, type HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import { consentOf, consentValue, EVERY_USE, isChannel, SPECIAL_CATEGORIES, type Use } from './consent.ts';
import { stateOf, type LwwRegister, type State } from './profile-state.ts';
import { utcTimeOf } from '../http/text.ts';
import { tiers } from './types.ts';

/** The sources of these statements. `explain` shows that of an objection. */
const origins = { [EVERY_USE]: 'objection', [SPECIAL_CATEGORIES]: 'property' } as const;
const SECOND_MS = 1_000;

/** The statements about every restricted use. */
export const restrictionsIn = (state: State): readonly LwwRegister[] =>
  [...state.values()].filter(({ area, name }) => area === 'consent' && !isChannel(name));

/**
 * The statement that begins or ends the restriction of a use: later than every earlier one, also of the same second. `now`
 * is in milliseconds.
 */
export const restrictionStatement = (
  state: State,
  use: Use,
  isRestricted: boolean,
  { now, stamp }: { readonly now: number; readonly stamp: HybridTimestamp },
): State => {
  const times = restrictionsIn(state).map((register) => saidAt(register) + SECOND_MS);
  const said = isRestricted ? 'withdrawn' : 'given';
  const value = consentValue({ datetime: utcTimeOf(Math.max(now, ...times)), state: said, source: null });
  return stateOf([{ area: 'consent', tier: tiers.stated, name: use, value, stamp, origin: origins[use] }]);
};

/** When a statement was said: epoch milliseconds, to the second. */
export const saidAt = (register: LwwRegister): number => {
  const { datetime } = consentOf(register);
  return datetime === null ? stampTime(register.stamp) : Date.parse(`${datetime.replace(' ', 'T')}Z`);
};
