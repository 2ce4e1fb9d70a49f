/** Restriction: the statement by which a person objects to every use, or no longer does. A pure rule over states. */
import { stampTime, type HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import { consentOf, consentValue, EVERY_USE } from './consent.ts';
import { stateOf, type LwwRegister, type State } from './profile-state.ts';
import { utcTimeOf } from './text-rules.ts';
import { tiers } from './types.ts';

/** The source of these statements, as `explain` shows it. */
const OBJECTION = 'objection';
const SECOND_MS = 1_000;

/** The statements of a person about every use. */
export const restrictionsIn = (state: State): readonly LwwRegister[] =>
  [...state.values()].filter(({ area, name }) => area === 'consent' && name === EVERY_USE);

/**
 * The statement of a person that begins or ends a restriction: later than every earlier one, also of the same second. `now`
 * is in milliseconds.
 */
export const restrictionStatement = (
  state: State,
  isRestricted: boolean,
  { now, stamp }: { readonly now: number; readonly stamp: HybridTimestamp },
): State => {
  const times = restrictionsIn(state).map((register) => {
    const { datetime } = consentOf(register);
    const said = datetime === null ? stampTime(register.stamp) : Date.parse(`${datetime.replace(' ', 'T')}Z`);
    return said + SECOND_MS;
  });
  const said = isRestricted ? 'withdrawn' : 'given';
  const value = consentValue({ datetime: utcTimeOf(Math.max(now, ...times)), state: said, source: null });
  return stateOf([{ area: 'consent', tier: tiers.stated, name: EVERY_USE, value, stamp, origin: OBJECTION }]);
};
