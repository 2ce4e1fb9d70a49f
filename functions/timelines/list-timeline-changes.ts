import { readKeysAhead } from '../../shared/properties/property-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { listTimelineChanges } from '../../shared/timelines/list-timeline-changes.ts';
import { linkDeps } from '../link-deps.ts';
import { memberDeps } from '../segments/deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(
  entries.listTimelineChanges,
  listTimelineChanges,
  (env) => ({ ...memberDeps(env), ...linkDeps(env) }),
  readKeysAhead,
);
