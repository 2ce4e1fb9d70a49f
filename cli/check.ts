/** Checks the source: format, types, storeys, lint, API document, dead code, in this order. Stops at the first failure. */
import { spawnSync } from 'node:child_process';
import { styleText } from 'node:util';

const checks: readonly (readonly [name: string, command: readonly string[]])[] = [
  ['format', ['prettier', '--check', '--log-level', 'warn', '.']],
  ['types', ['tsc']],
  [
    'storeys',
    [
      'depcruise',
      '--output-type',
      'err',
      'bin',
      'lib',
      'functions',
      'shared',
      'local',
      'cli',
      'bench',
      'client',
      'test',
    ],
  ],
  ['lint', ['eslint', '--max-warnings', '0', '.']],
  ['API document', ['node', 'cli/openapi.ts', '--check']],
  ['dead code', ['knip', '--no-progress']],
];

for (const [name, [command = '', ...args]] of checks) {
  const started = performance.now();
  const { status } = spawnSync(`node_modules/.bin/${command}`, args, { stdio: 'inherit' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const mark = status === 0 ? styleText('green', '✓') : styleText('red', '✗');
  console.log(`${mark} ${name} (${seconds} s)`);
  if (status !== 0) process.exit(1);
}
