import type { Env } from '../../shared/runtime/env.ts';
import { collectionRepository } from '../../shared/collections/repository.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { catalogueFromEnv } from '../segments/catalogue-deps.ts';

/** Ports for use cases about collections, on the environment's table. */
export const collectionDeps = (env: Env<'TABLE_NAME'>) => {
  const table = tableFromEnv(env);
  return {
    table,
    pause: jitteredPause,
    collections: collectionRepository(table),
    catalogue: catalogueFromEnv(env),
  };
};
