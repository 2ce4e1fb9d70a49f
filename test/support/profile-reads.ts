import type { ReadProfiles, ReadProfileSteps } from '../../shared/profiles/profile-repository.ts';
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

/** The same reader for bulk work: all profiles are one step. */
export const stepsOf = (find: (ordinal: number) => ResolvedProfile | undefined): ReadProfileSteps =>
  async function* (_, ordinals) {
    await Promise.resolve();
    yield [...new Set(ordinals)].flatMap((ordinal) => find(ordinal) ?? []);
  };
