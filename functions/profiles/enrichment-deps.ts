import { cachedEnrichers, enrichmentOf, type Enrichment } from '../../shared/enrichment/enrichers.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import type { Env } from '../../shared/runtime/env.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { queue } from '../../shared/runtime/sqs-queue.ts';
import type { Table } from '../../shared/table/table.ts';

/** The enrichment port of functions that store records, through the queue of the environment. */
export const enrichmentFromEnv = (
  env: Env<'ENRICHMENTS_QUEUE_URL'>,
  deps: { readonly table: Table; readonly clock: Clock },
): Enrichment =>
  enrichmentOf({
    enrichers: cachedEnrichers(deps),
    queue: queue(env('ENRICHMENTS_QUEUE_URL')),
    ids: systemIds,
  });
