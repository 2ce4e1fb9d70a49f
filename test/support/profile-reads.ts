import type { ReadProfiles } from '../../shared/profiles/profile-repository.ts';
import type { ResolvedProfile } from '../../shared/profiles/types.ts';

/** A reader of the profiles that this function finds by their ordinals. */
export const readsOf = (find: (ordinal: number) => ResolvedProfile | undefined): ReadProfiles =>
  async function* (_, ordinals) {
    await Promise.resolve();
    for (const ordinal of new Set(ordinals)) {
      const profile = find(ordinal);
      if (profile) yield profile;
    }
  };
