import * as v from 'valibot';
import { propertyScope } from '../../shared/auth/property-keys.ts';
import type { PrivateTargets } from '../../shared/exports/addresses.ts';
import type { ReadDeps } from '../../shared/exports/read-exports.ts';
import { exportRepository } from '../../shared/exports/repository.ts';
import { tableFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { env } from '../../shared/runtime/env.ts';

/** Which private targets the stage allows. */
export const privateTargets = (): PrivateTargets =>
  v.parse(v.picklist(['none', 'loopback']), env('PRIVATE_TARGETS'));

/** What the functions that read exports work with. */
export const readDeps = (): ReadDeps => ({
  exports: exportRepository(tableFromEnv()),
  scopeOf: propertyScope,
  baseUrl: env('BASE_URL'),
});
