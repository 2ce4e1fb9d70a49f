import type { GetProfileDeps } from '../../shared/profiles/get-profile.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import type { Env } from '../../shared/runtime/env.ts';
import { segmentsOfProfile } from '../../shared/segments/segments-of-profile.ts';
import type { Table } from '../../shared/table/table.ts';
import { segmentDeps } from '../segments/deps.ts';

interface LookupDeps extends GetProfileDeps {
  readonly table: Table;
}

/** Ports of the functions that show one person. */
export const lookupDeps = (env: Env<'TABLE_NAME' | 'PROPERTY_KEY_ID'>): LookupDeps => {
  const deps = segmentDeps(env);
  return {
    table: deps.table,
    scopeOf: scopesFromEnv(env),
    profiles: profileRepository(deps),
    segmentsOf: (property, profile, now) => segmentsOfProfile(deps, property, profile, now),
  };
};
