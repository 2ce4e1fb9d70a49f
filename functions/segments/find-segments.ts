import { apiHandler } from '../../shared/edge/api-handler.ts';
import { findSegments } from '../../shared/segments/find-segments.ts';
import { segmentDeps } from './deps.ts';
import { linkDeps } from '../link-deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.findSegments, findSegments, (env) => ({
  ...segmentDeps(env),
  ...linkDeps(env),
}));
