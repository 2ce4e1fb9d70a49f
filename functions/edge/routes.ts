import { pathsOf, type FunctionEntry, type HttpTrigger } from '../entry.ts';
import { manifest } from '../manifest.ts';

/** A route with its name, its address and then its aliases. */
export interface Route {
  readonly name: string;
  readonly summary: string;
  /** Handler source below `functions/`. */
  readonly source: string;
  readonly paths: readonly string[];
  readonly trigger: HttpTrigger;
}

const isRoute = (entry: FunctionEntry): entry is FunctionEntry<HttpTrigger> => entry.trigger.kind === 'http';

/** The routes of the manifest by function name, the catch-all left out. */
export const routes: readonly Route[] = Object.entries(manifest).flatMap(([name, entry]) =>
  isRoute(entry) && entry.trigger.method !== '$default'
    ? [
        {
          name,
          summary: entry.summary,
          source: entry.source,
          paths: pathsOf(entry.trigger),
          trigger: entry.trigger,
        },
      ]
    : [],
);
