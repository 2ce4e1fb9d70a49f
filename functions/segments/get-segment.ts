import { apiHandler } from '../../shared/edge/api-handler.ts';
import { getSegmentUseCase } from '../../shared/segments/get-segment.ts';
import { segmentDeps } from './deps.ts';
import { getSegment } from './entries.ts';

export const handler = apiHandler(getSegment, () => getSegmentUseCase(segmentDeps()));
