import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import type { Env } from '../../shared/runtime/env.ts';
import { segmentDeps } from '../segments/deps.ts';

/** Ports of the functions that make and show timelines. */
export const timelineDeps = (env: Env<'TABLE_NAME' | 'BASE_URL'>) => ({
  ...segmentDeps(env),
  baseUrl: env('BASE_URL'),
});

/** The same for lists in pages, whose cursors are sealed with the keys of the property. */
export const timelineListDeps = (env: Env<'TABLE_NAME' | 'BASE_URL' | 'PROPERTY_KEY_ID'>) => ({
  ...timelineDeps(env),
  scopeOf: scopesFromEnv(env),
});

/** Least time between two moments of a timeline in this stage, in milliseconds. */
export const intervalMs = (env: Env<'MOMENT_INTERVAL_SECONDS'>): number =>
  Number(env('MOMENT_INTERVAL_SECONDS')) * 1000;
