import { cachedBrandVersions, type BrandVersionSource } from '../../shared/catalogue/brand-versions.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { segmentCatalogue, type SegmentCatalogue } from '../../shared/catalogue/catalogue.ts';

let known: BrandVersionSource | undefined;

/** The versions of the brand catalogue, from the table of the environment; a process holds them once. */
export const brandsFromEnv = (): BrandVersionSource =>
  (known ??= cachedBrandVersions({ table: tableFromEnv(), clock: systemClock }));

/** The segments of the environment's table. */
export const catalogueFromEnv = (): SegmentCatalogue =>
  segmentCatalogue({
    table: tableFromEnv(),
    clock: systemClock,
    pause: jitteredPause,
    brands: brandsFromEnv(),
  });
