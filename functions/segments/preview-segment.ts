import { propertyScope } from '../../shared/properties/property-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { previewSegmentUseCase } from '../../shared/segments/preview-segment.ts';
import { segmentDeps } from './deps.ts';
import { previewSegment } from './entries.ts';

export const handler = apiHandler(previewSegment, () =>
  previewSegmentUseCase({ ...segmentDeps(), scopeOf: propertyScope }),
);
