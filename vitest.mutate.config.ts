import { defineConfig } from 'vitest/config';
import { isolated, services } from './vitest.config.ts';

/** Folders of the tests that mutants are tried against; `cli/mutate.ts` names them. */
const folders = (process.env['MUTATED_TESTS'] ?? 'test').split(',');

/** What takes seconds for each mutant. The rules that these files meet have tests of their own. */
const slow = [
  'test/*/on-dynamodb.test.ts',
  'test/cli/**',
  'test/infra/**',
  'test/imports/reimport.test.ts',
  'test/ingest/{claim-protocol,contention,histories,slow-writes,forget-large}.test.ts',
  'test/catalogue/races.test.ts',
  'test/membership/{protocol,steady}.test.ts',
  'test/segments/steps.test.ts',
];

/** The tests of `units` that belong to what is mutated: they start no service. */
export default defineConfig({
  test: {
    testTimeout: 60_000,
    include: folders.map((folder) => `${folder}/**/*.test.ts`),
    exclude: [...services, ...slow],
    // Loading modules anew for each file takes longer than most tests.
    isolate: folders.some((folder) => isolated.some((files) => files.startsWith(`${folder}/`))),
  },
});
