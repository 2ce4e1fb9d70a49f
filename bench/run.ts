/** The command `npm run bench`: measures scenarios, prints their figures, and stores them for the pages. */
import { parseArgs } from 'node:util';
import { loadScenario, scenarioNames } from './scenarios.ts';
import { clearProgress } from './support/reporting.ts';
import { storeRun } from './support/results.ts';
import { runScenario } from './support/run-scenario.ts';
import type { SizeName } from './support/scenario.ts';

/**
 * Scenarios that run only by name: one reads the report of an earlier run of the tests, the other waits for minutes, because
 * each preparation does.
 */
const BY_NAME: readonly string[] = ['suite', 'conditions'];

const USAGE = `npm run bench                     the scenarios at CI size, in under ten minutes on two cores; not ${BY_NAME.join(', ')}
npm run bench -- NAME …           some scenarios at CI size
npm run bench -- NAME … --full    some scenarios at full size, which may take an hour each
npm run bench -- --page           write docs/performance.md and docs/performance/ from bench/results
npm run bench -- --check          fail when the pages differ from bench/results

scenarios: ${scenarioNames.join(', ')}`;

/** A mistake of the user shows its sentence; a fault shows where it happened. */
class UsageError extends Error {}

/** Runs the scenario of a name. */
const measure = async (name: string, size: SizeName): Promise<void> => {
  const scenario = await loadScenario(name);
  if (!scenario) throw new UsageError(`There is no scenario ${name}.\n\n${USAGE}`);
  await runScenario(scenario, size, { store: storeRun, say: console.log });
};

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      full: { type: 'boolean', default: false },
      page: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const { differences, writePages } = await import('./support/page.ts');
  if (values.page) return writePages();
  if (values.check) {
    const differing = await differences();
    if (differing.length === 0) return;
    throw new UsageError(`Run \`npm run bench -- --page\`. It would change: ${differing.join(', ')}`);
  }
  if (values.full && positionals.length === 0)
    throw new UsageError(`Name the scenarios to run in full.\n\n${USAGE}`);
  const names =
    positionals.length > 0 ? positionals : scenarioNames.filter((name) => !BY_NAME.includes(name));
  for (const name of names) {
    // The other scenarios still run.
    await measure(name, values.full ? 'full' : 'ci').catch((error: unknown) => {
      if (error instanceof UsageError) throw error;
      console.error(`\n${name} failed:`, error);
      process.exitCode = 1;
    });
  }
  await writePages();
};

try {
  await main();
} catch (error) {
  clearProgress();
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = 1;
}
