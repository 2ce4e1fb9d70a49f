import { apiHandler } from '../../shared/edge/api-handler.ts';
import { createSegment } from '../../shared/segments/change-segments.ts';
import { segmentDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.createSegment, createSegment, segmentDeps);
