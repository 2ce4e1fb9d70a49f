import { readKeysAhead, scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { previewSegment } from '../../shared/segments/preview-segment.ts';
import { memberDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(
  entries.previewSegment,
  previewSegment,
  (env) => ({ ...memberDeps(env), scopeOf: scopesFromEnv(env), random: Math.random }),
  readKeysAhead,
);
