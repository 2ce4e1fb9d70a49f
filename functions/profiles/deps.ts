import type { Env } from '../../shared/runtime/env.ts';
import { scopesFromEnv, type PropertyScopes } from '../../shared/properties/property-keys.ts';
import type { ApplyDeps } from '../../shared/ingest/apply-records.ts';
import { ordinalSource } from '../../shared/profiles/ordinals.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import type { SegmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { journal, type Journal } from '../../shared/membership/journal.ts';
import { membershipIndex } from '../../shared/membership/membership.ts';
import { brandsFromEnv, catalogueFromEnv } from '../segments/catalogue-deps.ts';

/** Ports of functions that write profiles. */
interface ProfileWriterDeps extends ApplyDeps {
  readonly scopeOf: PropertyScopes;
  readonly segments: SegmentCatalogue;
  readonly journal: Journal;
}

/** The ports on the table of the environment. */
export const profileWriterDeps = (env: Env<'TABLE_NAME' | 'PROPERTY_KEY_ID'>): ProfileWriterDeps => {
  const ports = { table: tableFromEnv(env), clock: systemClock, pause: jitteredPause };
  const brands = brandsFromEnv(env);
  const catalogue = catalogueFromEnv(env);
  const profiles = profileRepository(ports);
  return {
    ...ports,
    brands,
    scopeOf: scopesFromEnv(env),
    ordinals: ordinalSource(ports.table),
    segments: catalogue,
    journal: journal(ports),
    membership: membershipIndex({
      ...ports,
      brands,
      catalogue,
      readProfiles: (property, ordinals) => profiles.readMany(property, ordinals),
    }),
  };
};
