import { propertyScope } from '../../shared/auth/property-keys.ts';
import type { ReadDeps } from '../../shared/exports/read-exports.ts';
import { exportRepository } from '../../shared/exports/repository.ts';
import { tableFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { env } from '../../shared/runtime/env.ts';

/** What the functions that read exports work with. */
export const readDeps = (): ReadDeps => ({
  exports: exportRepository(tableFromEnv()),
  scopeOf: propertyScope,
  baseUrl: env('BASE_URL'),
});
