import type { Env } from '../../shared/runtime/env.ts';
import { cachedBrandVersions, type BrandVersionSource } from '../../shared/catalogue/brand-versions.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { segmentCatalogue, type SegmentCatalogue } from '../../shared/catalogue/catalogue.ts';

let known: BrandVersionSource | undefined;

/** The versions of the brand catalogue on the environment's table; one instance per process. */
export const brandsFromEnv = (env: Env<'TABLE_NAME'>): BrandVersionSource =>
  (known ??= cachedBrandVersions({ table: tableFromEnv(env), clock: systemClock }));

/** The segment catalogue on the environment's table. */
export const catalogueFromEnv = (env: Env<'TABLE_NAME'>): SegmentCatalogue =>
  segmentCatalogue({
    table: tableFromEnv(env),
    clock: systemClock,
    pause: jitteredPause,
    brands: brandsFromEnv(env),
  });
