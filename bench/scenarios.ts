/** The scenarios of the bench, in the order of the page. */
import type { Scenario } from './support/scenario.ts';

/** Each scenario loads its modules when it runs. */
const loaders: Readonly<Record<string, () => Promise<{ readonly default: Scenario }>>> = {
  import: () => import('./scenarios/import.ts'),
  'demo-import': () => import('./scenarios/demo-import.ts'),
  reimport: () => import('./scenarios/reimport.ts'),
  batches: () => import('./scenarios/batches.ts'),
  profiles: () => import('./scenarios/profiles.ts'),
  lookups: () => import('./scenarios/lookups.ts'),
  pages: () => import('./scenarios/pages.ts'),
  counts: () => import('./scenarios/counts.ts'),
  moments: () => import('./scenarios/moments.ts'),
  exports: () => import('./scenarios/exports.ts'),
  tokens: () => import('./scenarios/tokens.ts'),
  'round-trips': () => import('./scenarios/round-trips.ts'),
  'cold-start': () => import('./scenarios/cold-start.ts'),
  growth: () => import('./scenarios/growth.ts'),
  conditions: () => import('./scenarios/conditions.ts'),
  ready: () => import('./scenarios/ready.ts'),
  peers: () => import('./scenarios/peers.ts'),
  suite: () => import('./scenarios/suite.ts'),
};

/** The names of all scenarios. */
export const scenarioNames = Object.keys(loaders);

/** Loads a scenario. Returns undefined for a name without one. */
export const loadScenario = async (name: string): Promise<Scenario | undefined> =>
  (await loaders[name]?.())?.default;
