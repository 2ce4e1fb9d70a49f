import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { beyondRules } from './test/support/beyond-rules.ts';
import { isInstalled } from './test/second-engine/dynamodb-local.ts';

/** Files that start services or processes. */
export const services = [
  'test/e2e/**/*.test.ts',
  'local/test/**/*.test.ts',
  'test/standalone/**/*.test.ts',
  'test/*/service.test.ts',
  'test/command-line/person-by-name.test.ts',
  'test/exports/http.test.ts',
  'test/edge/every-route.test.ts',
];

/** Files that change the environment: each runs in a process of its own. */
export const isolated = [
  'test/runtime/**/*.test.ts',
  'test/sftp/**/*.test.ts',
  'test/auth/sftp-login.test.ts',
];

/** Files that import `shared-service.ts`. The files of a worker share one cloud. */
export const shared = globSync('test/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  readFileSync(join(import.meta.dirname, file), 'utf8').includes("/shared-service.ts'"),
);

/** The longest test files, the longest first. A long file that starts late would run on alone at the end. */
const longest = [
  'test/scenes/service.test.ts',
  'test/e2e/strict.test.ts',
  'test/standalone/start.test.ts',
  'test/command-line/service.test.ts',
  'test/e2e/round-trips.test.ts',
  'test/e2e/first-file.test.ts',
  'test/e2e/recipes.test.ts',
  'test/e2e/change-feed-receiver.test.ts',
  'test/e2e/earlier-stack.test.ts',
  'test/e2e/alarms-ring.test.ts',
  'test/e2e/forgotten-person.test.ts',
  'test/e2e/restore.test.ts',
  'test/e2e/sftp.test.ts',
  'test/e2e/smoke.test.ts',
  'test/e2e/game-day.test.ts',
  'test/e2e/disturbed-imports.test.ts',
  'test/python/service.test.ts',
  'test/e2e/hostile.test.ts',
  'test/sftp/push.test.ts',
  'test/auth/service.test.ts',
  'test/membership/protocol.test.ts',
  'test/infra/command-line.test.ts',
  'test/infra/synthesis.test.ts',
  'test/cli/deploy.test.ts',
  'test/ingest/claim-protocol.test.ts',
  'test/ingest/contention.test.ts',
  'test/ingest/histories.test.ts',
  'test/interactions/protocols.test.ts',
  'test/segments/steps.test.ts',
];

/**
 * The order of the projects. Files of most projects share a process, which Vitest ends when the next file belongs to
 * another project. Units come last: they are short, so that all workers end at about the same time.
 */
const projects = ['second-engine', 'services', 'isolated', 'shared', 'units'];

/**
 * Keeps the files of a project together, the longest first. Vitest itself knows the durations of files only on machines
 * that ran them before.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const place = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
      return projects.indexOf(project.name) * (longest.length + 1) + (place < 0 ? longest.length : place);
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/**
 * Files that run on DynamoDB Local and the embedded engine at once, and all answers are compared. Without DynamoDB Local they
 * run in their other projects, on the embedded engine alone.
 */
const onBothEngines = [
  'test/second-engine/random-calls.test.ts',
  'test/table/{contract,transactions}.test.ts',
  'test/*/on-dynamodb.test.ts',
  'test/catalogue/races.test.ts',
  'test/e2e/{round-trip,whole-service,deletion,enrichment}.test.ts',
  // These use the table in memory, whose steps are replayed on both engines.
  'test/auth/shut-out.test.ts',
  'test/collections/change-collections.test.ts',
  'test/enrichment/enrich.test.ts',
  'test/exports/{create-export,deliveries,delivery-log,lifecycle}.test.ts',
  'test/imports/{batches,cancel,change-definitions,definitions,dropped}.test.ts',
  'test/membership/{drain,sizes}.test.ts',
  'test/operator/{delete-property,operator}.test.ts',
  'test/segments/{custom-segments,explain,paging}.test.ts',
  'test/timelines/{rename,timelines}.test.ts',
];

/** Without DynamoDB Local, one skipped test says so. On CI that would hide something, so there the files run and fail. */
const hasSecondEngine = isInstalled() || Boolean(process.env['CI']);

/** `npm run test:full` runs Vitest in this mode. */
const FULL = 'full';

/** `npm run test:quick` runs Vitest in this mode. */
const QUICK = 'quick';

const elsewhere = (mode: string): readonly string[] =>
  hasSecondEngine && mode !== QUICK ? onBothEngines : [];

export default defineConfig(({ mode }) => ({
  test: {
    env: { TEST_SCALE: mode === FULL ? 'full' : 'sample' },
    testTimeout: 60_000,
    // The first service of a run bundles all functions, which takes up to a minute on a busy machine.
    hookTimeout: 120_000,
    // For a machine with two cores. Many files wait for a part of their time, so that three workers keep both cores busy.
    // `test:full` waits less, and runs the second engine beside the tests.
    maxWorkers: mode === FULL ? 2 : 3,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', ['json', { outputFile: '.build/tests.json' }]],
    projects: [
      // The other files share a process per worker: a small file spends half its time on loading modules.
      {
        extends: true,
        test: {
          name: 'units',
          include: ['test/**/*.test.ts', 'bench/test/**/*.test.ts'],
          exclude: [
            ...services,
            ...isolated,
            ...shared,
            ...elsewhere(mode),
            'test/second-engine/{absent,random-calls}.test.ts',
            ...(mode === QUICK ? beyondRules : []),
          ],
          isolate: false,
        },
      },
      ...(mode === QUICK
        ? []
        : [
            {
              extends: true,
              test: {
                name: 'services',
                include: services,
                exclude: [...isolated, ...shared, ...elsewhere(mode)],
                isolate: false,
              },
            },
            { extends: true, test: { name: 'isolated', include: isolated } },
            {
              extends: true,
              test: { name: 'shared', include: shared, exclude: [...elsewhere(mode)], isolate: false },
            },
            {
              extends: true,
              test: {
                name: 'second-engine',
                isolate: false,
                include: hasSecondEngine ? onBothEngines : ['test/second-engine/absent.test.ts'],
                globalSetup: hasSecondEngine ? 'test/second-engine/start.ts' : [],
                setupFiles: hasSecondEngine ? 'test/second-engine/replay-memory.ts' : [],
              },
            },
          ]),
    ],
  },
}));
