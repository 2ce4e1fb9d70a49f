import { limits } from '../config/limits.ts';
import type { State } from './state.ts';
import { identitiesOf } from './surface.ts';
import type { Refusal, SurfacedProfile } from './types.ts';

const tooMany = (field: string | null, what: string, most: number): Refusal => ({
  field,
  code: 'too_many',
  message: `The profile would have more than ${most} ${what}.`,
});

/** A profile as it would be after a merge: its fields, its state, and that state as it is stored. */
interface Merged {
  readonly profile: SurfacedProfile;
  readonly state: State;
  readonly encoded: string;
}

/** Why a profile cannot be stored as it would be after a merge; undefined when it can. */
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
