import { queueHandler } from '../../shared/edge/queue-handler.ts';
import { drainGroup, drainRequest } from '../../shared/membership/drain.ts';
import { drainDeps } from './deps.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './upkeep-entries.ts';

/** No further round of draining is begun with less time left; the next drain request continues. */
const LAST_MILLISECONDS = 60_000;

export const handler = queueHandler(
  drainRequest,
  async (deps, { property, group }, { remaining }) => {
    let more = true;
    while (more && remaining() > LAST_MILLISECONDS) ({ more } = await drainGroup(deps, property, group));
  },
  (env: EnvOf<typeof entries.drain>) => drainDeps(env),
  'DRAINS_QUEUE_URL',
);
