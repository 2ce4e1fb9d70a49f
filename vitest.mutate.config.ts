import { defineConfig } from 'vitest/config';
import { services } from './vitest.config.ts';

/** Folders of the tests that mutants are tried against; `cli/mutate.ts` names them. */
const folders = (process.env['MUTATED_TESTS'] ?? 'test').split(',');

/** The tests of `units` that belong to what is mutated: they start no service. */
export default defineConfig({
  test: {
    testTimeout: 60_000,
    include: folders.map((folder) => `${folder}/**/*.test.ts`),
    exclude: services,
  },
});
