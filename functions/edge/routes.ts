import type { DocumentedRoute } from '../../shared/edge/openapi.ts';
import { pathsOf, type FunctionEntry, type HttpTrigger } from '../entry.ts';
import { manifest } from '../manifest.ts';

const isRoute = (entry: FunctionEntry): entry is FunctionEntry<HttpTrigger> => entry.trigger.kind === 'http';

/** The routes of the manifest by function name, the catch-all left out. */
export const routes: readonly DocumentedRoute[] = Object.entries(manifest).flatMap(([name, entry]) =>
  isRoute(entry) && entry.trigger.method !== '$default'
    ? [{ name, summary: entry.summary, paths: pathsOf(entry.trigger), trigger: entry.trigger }]
    : [],
);
