import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as v from 'valibot';
import { scenario } from '../support/scenario.ts';

const root = join(import.meta.dirname, '../..');

/** The report that each run of the tests leaves. */
const REPORT = join(root, '.build/tests.json');
const SLOWEST = 10;

/** The files of every complete run. The files of the second engine depend on whether it is installed. */
const TESTS = 'test/!(second-engine)/**/*.test.ts';

const reportSchema = v.looseObject({
  numTotalTests: v.number(),
  numFailedTests: v.number(),
  numPendingTests: v.number(),
  startTime: v.number(),
  testResults: v.array(
    v.looseObject({ name: v.string(), startTime: v.number(), endTime: v.number(), status: v.string() }),
  ),
});

/** Runs `npm test`. */
const runTests = async (): Promise<void> => {
  const args = ['cli/launch.mjs', 'node_modules/vitest/vitest.mjs', 'run'];
  await once(spawn(process.execPath, args, { cwd: root, stdio: 'ignore' }), 'exit');
};

export default scenario({
  name: 'suite',
  title: 'The tests themselves',
  about:
    'At CI size this reads the report of the last `npm test`; at full size it runs `npm test` first. There is no floor.',
  sizes: { ci: { runs: 0 }, full: { runs: 1 } },
  run: async ({ runs }, report) => {
    report.progress('runs the tests');
    if (runs > 0) await runTests();
    if (!existsSync(REPORT)) throw new Error('There is no report of the tests. Run `npm test` first.');
    const read: unknown = JSON.parse(readFileSync(REPORT, 'utf8'));
    const { numTotalTests, numFailedTests, numPendingTests, startTime, testResults } = v.parse(
      reportSchema,
      read,
    );
    report.check('failed tests', numFailedTests, 0);
    const reported = new Set(testResults.map(({ name }) => relative(root, name)));
    const left = globSync(TESTS, { cwd: root }).filter((file) => !reported.has(file));
    report.check('test files without a result', left.length, 0);
    const files = testResults
      .map(({ name, startTime: from, endTime: to }) => ({
        name: relative(root, name),
        value: (to - from) / 1000,
      }))
      .toSorted((one, other) => other.value - one.value);
    const sum = files.reduce((all, { value }) => all + value, 0);
    report.count('tests', numTotalTests, 'tests');
    report.count('skipped', numPendingTests, 'tests');
    report.count('files', files.length, 'files');
    const ended = Math.max(...testResults.map(({ endTime }) => endTime));
    report.time('whole run', (ended - startTime) / 1000, 's');
    report.time('all files, one after the other', sum, 's');
    const slowest = files.slice(0, SLOWEST);
    report.time(
      `the ${SLOWEST} slowest files`,
      slowest.reduce((all, { value }) => all + value, 0),
      's',
    );
    report.chart({ kind: 'bars', unit: 'seconds of this machine, the slowest files', bars: slowest });
  },
});
