/** Read profile: turns the item at an ordinal into the profile that it holds, with its values resolved. */
import type { StoredItem } from '../table/table.ts';
import { stateOf } from './profile-state.ts';
import { resolveGroup, resolveProfile } from './resolve-profile.ts';
import { parseSlot, registersIn } from './stored-profile.ts';
import type { ResolvedProfile } from './types.ts';

/** The profile in the item at an ordinal; undefined when there is none. */
export const readProfile = (item: StoredItem | undefined, ordinal: number): ResolvedProfile | undefined => {
  if (!item) return undefined;
  const stored = parseSlot(item);
  if (!('state' in stored)) return undefined;
  const { state: groups, updated_at: updatedAt } = stored;
  const [first, ...others] = groups;
  const alone = first && others.length === 0 ? resolveGroup(first, ordinal, updatedAt) : undefined;
  return alone ?? resolveProfile(stateOf(registersIn(groups)), ordinal, updatedAt);
};
