import { propertyScope } from '../../shared/properties/property-keys.ts';
import { env } from '../../shared/runtime/env.ts';
import { segmentDeps } from '../segments/deps.ts';

/** Timelines on the table of the environment. */
export const timelineDeps = () => ({ ...segmentDeps(), scopeOf: propertyScope, baseUrl: env('BASE_URL') });

/** Least time between two moments of a timeline in this stage, in milliseconds. */
export const intervalMs = (): number => Number(env('MOMENT_INTERVAL_SECONDS')) * 1000;
