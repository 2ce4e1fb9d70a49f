import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores are what a CI machine has; the embedded cloud of the end-to-end files uses both on its own.
    maxWorkers: 2,
    reporters: ['default', ['json', { outputFile: '.build/tests.json' }]],
  },
});
