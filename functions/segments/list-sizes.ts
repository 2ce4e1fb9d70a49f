import { apiHandler } from '../../shared/edge/api-handler.ts';
import { listSizes } from '../../shared/membership/sizes/list-sizes.ts';
import { segmentDeps } from './deps.ts';
import { linkDeps } from '../link-deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.listSegmentSizes, listSizes, (env) => ({
  ...segmentDeps(env),
  ...linkDeps(env),
}));
