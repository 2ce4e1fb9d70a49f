/** The scenarios of the bench, in the order of the page. */
import type { Scenario } from './support/scenario.ts';

/** A scenario loads what it needs only when it runs. */
const loaders: Readonly<Record<string, () => Promise<{ readonly default: Scenario }>>> = {
  import: () => import('./scenarios/import.ts'),
  lookups: () => import('./scenarios/lookups.ts'),
  tokens: () => import('./scenarios/tokens.ts'),
};

/** The names of all scenarios. */
export const scenarioNames = Object.keys(loaders);

/** Loads a scenario. Returns undefined for a name without one. */
export const loadScenario = async (name: string): Promise<Scenario | undefined> =>
  (await loaders[name]?.())?.default;
