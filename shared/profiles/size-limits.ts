import { limits } from '../config/limits.ts';
import type { State } from './profile-state.ts';
import { identitiesOf } from './resolve-profile.ts';
import type { Refusal, ResolvedProfile } from './types.ts';

const tooMany = (field: string | null, what: string, most: number): Refusal => ({
  field,
  code: 'too_many',
  message: `The profile would have more than ${most} ${what}.`,
});

/** A profile as a merge would leave it: its resolved values, its state, and the encoded state. */
interface Merged {
  readonly profile: ResolvedProfile;
  readonly state: State;
  readonly encoded: string;
}

/** The refusal when a profile would exceed a limit after a merge; otherwise undefined. */
export const overLimit = ({ profile, state, encoded }: Merged): Refusal | undefined => {
  const { tags, likes, extraDataKeys, identities, itemBytes } = limits.profiles;
  if (identitiesOf(state).length > identities) return tooMany(null, 'identities', identities);
  if (profile.tags.length > tags) return tooMany('tags', 'tags', tags);
  if (profile.likes.length > likes) return tooMany('social_likes', 'likes', likes);
  if (Object.keys(profile.extra).length > extraDataKeys)
    return tooMany('extra_data', 'keys of extra data', extraDataKeys);
  if (Buffer.byteLength(encoded) <= itemBytes) return undefined;
  return {
    field: null,
    code: 'profile_too_large',
    message: `The profile would be larger than ${itemBytes} bytes.`,
  };
};
