import { apiHandler } from '../../shared/edge/api-handler.ts';
import { createSegmentUseCase } from '../../shared/segments/create-segment.ts';
import { segmentDeps } from './deps.ts';
import { createSegment } from './entries.ts';

export const handler = apiHandler(createSegment, () => createSegmentUseCase(segmentDeps()));
