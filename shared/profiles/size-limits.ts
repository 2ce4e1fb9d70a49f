import { limits } from '../../lib/config/limits.ts';
import type { Refusal, SurfacedProfile } from './types.ts';

const tooMany = (field: string, what: string, most: number): Refusal => ({
  field,
  code: 'too_many',
  message: `The profile would have more than ${most} ${what}.`,
});

/** Why a profile cannot be stored as it would be after a merge; undefined when it can. `encoded` is its stored state. */
export const overLimit = (profile: SurfacedProfile, encoded: string): Refusal | undefined => {
  const { tags, likes, extraDataKeys, itemBytes } = limits.profiles;
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
