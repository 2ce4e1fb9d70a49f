import { readKeysAhead } from '../../shared/properties/property-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { listSegmentProfiles } from '../../shared/segments/list-segment-profiles.ts';
import { memberDeps } from './deps.ts';
import { linkDeps } from '../link-deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(
  entries.listSegmentProfiles,
  listSegmentProfiles,
  (env) => ({
    ...memberDeps(env),
    ...linkDeps(env),
  }),
  readKeysAhead,
);
