import { propertyScope } from '../../shared/properties/property-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { env } from '../../shared/runtime/env.ts';
import { listSizesUseCase } from '../../shared/membership/sizes/list-sizes.ts';
import { segmentDeps } from './deps.ts';
import { listSegmentSizes } from './entries.ts';

export const handler = apiHandler(listSegmentSizes, () =>
  listSizesUseCase({ ...segmentDeps(), scopeOf: propertyScope, baseUrl: env('BASE_URL') }),
);
