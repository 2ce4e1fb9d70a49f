import { queueHandler } from '../../shared/edge/queue-handler.ts';
import { drainGroup, drainRequest } from '../../shared/membership/drain.ts';
import { drainDeps } from './deps.ts';

/** With less time than this left no further look is begun; the next request goes on from there. */
const LAST_MILLISECONDS = 60_000;

export const handler = queueHandler(drainRequest, () => {
  const deps = drainDeps();
  return async ({ property, group }, { remaining }) => {
    let more = true;
    while (more && remaining() > LAST_MILLISECONDS) ({ more } = await drainGroup(deps, property, group));
  };
});
