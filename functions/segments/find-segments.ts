import { propertyScope } from '../../shared/properties/property-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { env } from '../../shared/runtime/env.ts';
import { findSegmentsUseCase } from '../../shared/segments/find-segments.ts';
import { segmentDeps } from './deps.ts';
import { findSegments } from './entries.ts';

export const handler = apiHandler(findSegments, () =>
  findSegmentsUseCase({ ...segmentDeps(), scopeOf: propertyScope, baseUrl: env('BASE_URL') }),
);
