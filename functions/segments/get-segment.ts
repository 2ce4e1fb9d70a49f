import { apiHandler } from '../../shared/edge/api-handler.ts';
import { getSegment } from '../../shared/segments/get-segment.ts';
import { segmentDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.getSegment, getSegment, segmentDeps);
