import { propertyScope, type PropertyScopes } from '../../shared/auth/property-keys.ts';
import type { ApplyDeps } from '../../shared/profiles/apply.ts';
import { ordinalSource } from '../../shared/profiles/ordinals.ts';
import { profileRepository } from '../../shared/profiles/repository.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import type { SegmentCatalogue } from '../../shared/segments/catalogue.ts';
import { journal, type Journal } from '../../shared/segments/journal.ts';
import { membershipIndex } from '../../shared/segments/membership.ts';
import { brandsFromEnv, catalogueFromEnv } from '../brands/deps.ts';

/** What functions that write profiles work with. */
interface ProfileWriterDeps extends ApplyDeps {
  readonly scopeOf: PropertyScopes;
  readonly segments: SegmentCatalogue;
  readonly journal: Journal;
}

/** The same on the table of the environment. */
export const profileWriterDeps = (): ProfileWriterDeps => {
  const surroundings = { table: tableFromEnv(), clock: systemClock, pause: jitteredPause };
  const brands = brandsFromEnv();
  const catalogue = catalogueFromEnv();
  const profiles = profileRepository(surroundings);
  return {
    ...surroundings,
    brands,
    scopeOf: propertyScope,
    ordinals: ordinalSource(surroundings.table),
    segments: catalogue,
    journal: journal(surroundings),
    membership: membershipIndex({
      ...surroundings,
      brands,
      catalogue,
      readProfiles: (property, ordinals) => profiles.readMany(property, ordinals),
    }),
  };
};
