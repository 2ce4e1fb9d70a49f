import { propertyScope } from '../../shared/properties/property-keys.ts';
import type { ListDeps } from '../../shared/http/listing.ts';
import type { Barrier } from '../../shared/imports/jobs/read-progress.ts';
import { importRepository } from '../../shared/imports/model/repository.ts';
import { watchedJobs } from '../../shared/imports/model/watched-jobs.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { env } from '../../shared/runtime/env.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { queue } from '../../shared/runtime/sqs-queue.ts';
import { drainAnnounced } from '../../shared/membership/drain.ts';
import { journal } from '../../shared/membership/journal.ts';

/** Definitions, jobs and batches on the table of the environment. */
export const importDeps = () => ({
  imports: importRepository({ table: tableFromEnv() }),
  watched: watchedJobs(tableFromEnv()),
  clock: systemClock,
  pause: jitteredPause,
});

/** What lists need besides. */
export const listDeps = (): ListDeps => ({ scopeOf: propertyScope, baseUrl: env('BASE_URL') });

/** A barrier that has drained what it finds. */
export const drainingBarrier = (): Barrier => {
  const deps = {
    journal: journal({ table: tableFromEnv(), clock: systemClock }),
    drains: queue(env('DRAINS_QUEUE_URL')),
    ids: systemIds,
  };
  return { isSettled: (property, announcedBy) => drainAnnounced(deps, property, announcedBy) };
};

/** A barrier that only looks: draining is asked for by others. */
export const lookingBarrier = (): Barrier => {
  const entries = journal({ table: tableFromEnv(), clock: systemClock });
  return { isSettled: (property, announcedBy) => entries.isEmpty(property, announcedBy) };
};
