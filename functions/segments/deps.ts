import type { Env } from '../../shared/runtime/env.ts';
import { finishForgetting } from '../../shared/ingest/forget-person.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import type { DrainDeps } from '../../shared/membership/drain.ts';
import { journal } from '../../shared/membership/journal.ts';
import { membershipIndex } from '../../shared/membership/membership.ts';
import { momentMembers } from '../../shared/membership/moments.ts';
import { brandsFromEnv, catalogueFromEnv } from './catalogue-deps.ts';

/** Ports for use cases about segments and their profiles, on the environment's table. */
export const segmentDeps = (env: Env<'TABLE_NAME'>) => {
  const table = tableFromEnv(env);
  return {
    table,
    ids: systemIds,
    clock: systemClock,
    pause: jitteredPause,
    brands: brandsFromEnv(env),
    catalogue: catalogueFromEnv(env),
    readProfiles: profileRepository({ table }).readEach,
  };
};

/** Ports of the drainer. */
export const drainDeps = (env: Env<'TABLE_NAME'>): DrainDeps => {
  const deps = segmentDeps(env);
  const membership = membershipIndex(deps);
  const moments = momentMembers({ ...deps, membership });
  const log = journal(deps);
  return {
    journal: log,
    membership,
    finishForgetting: (property, ordinal) =>
      finishForgetting({ ...deps, journal: log, membership, moments }, property, ordinal),
  };
};
