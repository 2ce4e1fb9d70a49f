import { finishForgetting } from '../../shared/ingest/forget-person.ts';
import type { DrainDeps } from '../../shared/membership/drain.ts';
import { journal } from '../../shared/membership/journal.ts';
import { membershipIndex } from '../../shared/membership/membership.ts';
import { momentMembers } from '../../shared/membership/moments.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import type { Env } from '../../shared/runtime/env.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { queue } from '../../shared/runtime/sqs-queue.ts';
import type { PrepareDeps } from '../../shared/segments/prepare-conditions.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { derivationsFromEnv, catalogueFromEnv } from './catalogue-deps.ts';

/** Ports for use cases about segments, on the environment's table. */
export const segmentDeps = (env: Env<'TABLE_NAME'>) => {
  const table = tableFromEnv(env);
  return {
    table,
    ids: systemIds,
    clock: systemClock,
    pause: jitteredPause,
    derivations: derivationsFromEnv(env),
    catalogue: catalogueFromEnv(env),
  };
};

/** The same for use cases that also read the profiles of a segment. */
export const memberDeps = (env: Env<'TABLE_NAME'>) => {
  const deps = segmentDeps(env);
  return { ...deps, readProfiles: profileRepository(deps).readEach };
};

/** Ports of the preparation of conditions. */
export const prepareDeps = (
  env: Env<'TABLE_NAME' | 'DRAINS_QUEUE_URL' | 'CLOCK_MARGIN_SECONDS'>,
): PrepareDeps => {
  const deps = segmentDeps(env);
  return {
    ...deps,
    drains: queue(env('DRAINS_QUEUE_URL')),
    journal: journal(deps),
    log: systemLog,
    marginMs: Number(env('CLOCK_MARGIN_SECONDS')) * 1000,
  };
};

/** Ports of the drainer. */
export const drainDeps = (env: Env<'TABLE_NAME'>): DrainDeps => {
  const deps = memberDeps(env);
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
