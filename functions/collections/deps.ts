import type { Env } from '../../shared/runtime/env.ts';
import { collectionRepository } from '../../shared/collections/repository.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { catalogueFromEnv } from '../segments/catalogue-deps.ts';

/** Ports for use cases that read or delete collections, on the environment's table. */
export const collectionDeps = (env: Env<'TABLE_NAME'>) => {
  const table = tableFromEnv(env);
  return { table, pause: jitteredPause, collections: collectionRepository(table) };
};

/** The same for use cases that look up the segments of a collection. */
export const collectionChangeDeps = (env: Env<'TABLE_NAME'>) => ({
  ...collectionDeps(env),
  catalogue: catalogueFromEnv(env),
});
