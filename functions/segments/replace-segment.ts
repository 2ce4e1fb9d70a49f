import { apiHandler } from '../../shared/edge/api-handler.ts';
import { replaceSegmentUseCase } from '../../shared/segments/replace-segment.ts';
import { segmentDeps } from './deps.ts';
import { replaceSegment } from './entries.ts';

export const handler = apiHandler(replaceSegment, () => replaceSegmentUseCase(segmentDeps()));
