import { defineConfig } from 'vitest/config';
import { isolated, services, shared } from './vitest.config.ts';

/** Folders of the tests that run against each mutant; `cli/mutate.ts` sets them. */
const folders = (process.env['MUTATED_TESTS'] ?? 'test').split(',');

/** Test files that take seconds for each mutant. Other tests cover the same rules. */
const slow = [
  'test/*/on-dynamodb.test.ts',
  'test/cli/**',
  'test/infra/**',
  'test/imports/reimport.test.ts',
  'test/ingest/{claim-protocol,contention,histories,slow-writes,forget-large}.test.ts',
  'test/catalogue/races.test.ts',
  'test/membership/{protocol,steady}.test.ts',
  'test/segments/steps.test.ts',
  'test/sftp/push.test.ts',
];

/** Runs the tests of `units` for the mutated code; these tests start no service. */
export default defineConfig({
  test: {
    testTimeout: 60_000,
    include: folders.map((folder) => `${folder}/**/*.test.ts`),
    exclude: [...services, ...shared, ...slow],
    // Loading modules anew for each file takes longer than most tests.
    isolate: folders.some((folder) => isolated.some((files) => files.startsWith(`${folder}/`))),
  },
});
