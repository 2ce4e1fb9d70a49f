import { findDisclosures } from '../../shared/exports/disclosures/find-disclosures.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import type { DisclosuresOf } from '../../shared/profiles/disclosures.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import type { Env } from '../../shared/runtime/env.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';

/** The look for who may have got the data of a person, in the files of the environment. */
export const disclosuresFromEnv = (env: Env<'TABLE_NAME' | 'EXPORTS_BUCKET'>): DisclosuresOf => {
  const table = tableFromEnv(env);
  const files = objectStore(env('EXPORTS_BUCKET'));
  return findDisclosures({ table, exports: exportRepository(table), files, clock: systemClock });
};
