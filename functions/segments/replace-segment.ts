import { apiHandler } from '../../shared/edge/api-handler.ts';
import { replaceSegment } from '../../shared/segments/change-segments.ts';
import { segmentDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.replaceSegment, replaceSegment, segmentDeps);
