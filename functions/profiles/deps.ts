import { propertyScope } from '../../shared/auth/property-keys.ts';
import type { CreateProfileDeps } from '../../shared/profiles/create-profile.ts';
import { ordinalSource } from '../../shared/profiles/ordinals.ts';
import { profileRepository } from '../../shared/profiles/repository.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { segmentCatalogue } from '../../shared/segments/catalogue.ts';
import { journal } from '../../shared/segments/journal.ts';
import { membershipIndex } from '../../shared/segments/membership.ts';

/** What a function that writes profiles works with, on the table of its environment. */
export const profileWriterDeps = (): CreateProfileDeps => {
  const surroundings = { table: tableFromEnv(), clock: systemClock, pause: jitteredPause };
  const catalogue = segmentCatalogue(surroundings);
  const profiles = profileRepository(surroundings);
  return {
    ...surroundings,
    scopeOf: propertyScope,
    ordinals: ordinalSource(surroundings.table),
    segments: catalogue,
    journal: journal(surroundings),
    membership: membershipIndex({
      ...surroundings,
      catalogue,
      readProfiles: (property, ordinals) => profiles.readMany(property, ordinals),
    }),
  };
};
