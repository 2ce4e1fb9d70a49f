/** Undo fit: how much of what an undo gives back a profile can hold. A pure rule over states. */
import { mergeStates, stateOf, type LwwRegister, type State } from '../profiles/profile-state.ts';
import { overLimit, resolveProfile } from '../profiles/resolve-profile.ts';
import { encodeState } from '../profiles/stored-profile.ts';
import type { ResolvedProfile, StoredTimes } from '../profiles/types.ts';
import type { ProfileChange } from './undo-log.ts';
import { missingRule, type UseRules } from './use-rules.ts';
import { withoutNobody } from './undo-state.ts';

/** A change that fits a profile, in the form in which it is stored. */
export interface FittedChange {
  readonly change: ProfileChange;
  readonly encoded: string;
  readonly after: ResolvedProfile;
  /** Whether everything is given back that the change would give back. */
  readonly isWhole: boolean;
}

/**
 * Leaves out of an undo what would make the profile exceed a limit: what came after the job may have taken the room of what
 * the job had hidden. Identities come back first, and then the smallest values. An undo must not end at one person. What it
 * gives back, it gives back by the rules of the property.
 */
export const fittedChange = (
  change: ProfileChange,
  { times, rules }: { readonly times: StoredTimes; readonly rules: UseRules },
): FittedChange => {
  const merged = (left: State) => {
    const after = mergeStates(left, missingRule(left, rules, { now: times.updatedAt }));
    const encoded = encodeState(after);
    const profile = resolveProfile(after, change.ordinal, times);
    const refusal = overLimit({ profile, state: after, encoded });
    return refusal ? undefined : { change: { ...change, after }, encoded, after: profile };
  };
  const whole = merged(change.after);
  if (whole) return { ...whole, isWhole: true };
  const given = [...change.after].flatMap(([key, register]) =>
    change.before.get(key) === register ? [] : [register],
  );
  given.sort((one, other) => weightOf(one) - weightOf(other));
  const withFirst = (count: number) =>
    merged(withoutNobody(mergeStates(change.before, stateOf(given.slice(0, count)))));
  // Without what it gives back, an undo only takes away from a profile that fits.
  let best = withFirst(0);
  let [fits, fitsNot] = [0, given.length];
  while (fitsNot - fits > 1) {
    const count = Math.floor((fits + fitsNot) / 2);
    const tried = withFirst(count);
    if (tried) [fits, best] = [count, tried];
    else fitsNot = count;
  }
  if (!best) throw new Error('profiles: a profile without some of its values exceeds a limit');
  return { ...best, isWhole: false };
};

const weightOf = ({ area, value }: LwwRegister): number =>
  area === 'identity' ? 0 : JSON.stringify(value).length;
