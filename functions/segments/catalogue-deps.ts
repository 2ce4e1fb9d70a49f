import type { Env } from '../../shared/runtime/env.ts';
import { cachedDerivations, type DerivationSource } from '../../shared/catalogue/derivation.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { segmentCatalogue, type SegmentCatalogue } from '../../shared/catalogue/catalogue.ts';

let known: DerivationSource | undefined;

/** What decides segments, on the environment's table; one instance per process. */
export const derivationsFromEnv = (env: Env<'TABLE_NAME'>): DerivationSource =>
  (known ??= cachedDerivations({ table: tableFromEnv(env), clock: systemClock }));

/** The segment catalogue on the environment's table. */
export const catalogueFromEnv = (env: Env<'TABLE_NAME'>): SegmentCatalogue =>
  segmentCatalogue({
    table: tableFromEnv(env),
    clock: systemClock,
    pause: jitteredPause,
    derivations: derivationsFromEnv(env),
  });
