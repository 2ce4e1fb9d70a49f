import { systemClock } from '../../shared/runtime/clock.ts';
import type { Env } from '../../shared/runtime/env.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { linkDeps } from '../link-deps.ts';
import { segmentDeps } from '../segments/deps.ts';

/** Ports of the functions that show and change stored timelines. */
export const timelineDeps = (env: Env<'TABLE_NAME'>) => ({
  table: tableFromEnv(env),
  clock: systemClock,
  pause: jitteredPause,
});

/** The same for lists in pages, whose cursors are sealed with the keys of the property. */
export const timelineListDeps = (env: Env<'TABLE_NAME' | 'BASE_URL' | 'PROPERTY_KEY_ID'>) => ({
  ...timelineDeps(env),
  ...linkDeps(env),
});

/** Ports of the functions that make timelines and moments. */
export const makeDeps = (env: Env<'TABLE_NAME' | 'BASE_URL'>) => ({
  ...segmentDeps(env),
  baseUrl: env('BASE_URL'),
});

/** Least time between two moments of a timeline in this stage, in milliseconds. */
export const intervalMs = (env: Env<'MOMENT_INTERVAL_SECONDS'>): number =>
  Number(env('MOMENT_INTERVAL_SECONDS')) * 1000;
