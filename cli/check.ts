/**
 * Checks the source: format, types, storeys, lint, API document, dead code. The machine runs one check per core at
 * once, and starts the longest check first. Each check prints its findings at its end. The command
 * fails if a check fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import { styleText } from 'node:util';
import { mapLimited } from '../shared/runtime/pool.ts';

const folders = ['bin', 'lib', 'functions', 'shared', 'local', 'cli', 'bench', 'client', 'console', 'test'];

/** Options that leave out the folders that have a process of their own. */
const withoutLinted = ['test/', 'shared/', 'functions/'].flatMap((folder) => ['--ignore-pattern', folder]);

/**
 * The command of each check, the longest check first: lint takes as long as all others. It runs in three
 * processes, because all types together need more than the 4 GB that Node gives a process.
 */
const checks: readonly (readonly [name: string, command: readonly string[]])[] = [
  ['lint of the tests', ['eslint', '--max-warnings', '0', 'test']],
  ['lint of the service', ['eslint', '--max-warnings', '0', 'shared', 'functions']],
  ['lint of the rest', ['eslint', '--max-warnings', '0', '.', ...withoutLinted]],
  ['types', ['tsc']],
  ['types of the console', ['tsc', '--project', 'console']],
  ['size of the console', ['node', 'cli/console-size.ts']],
  ['format', ['prettier', '--check', '--log-level', 'warn', '.']],
  ['storeys', ['depcruise', '--output-type', 'err', ...folders]],
  ['dead code', ['knip', '--no-progress']],
  ['API document', ['node', 'cli/openapi.ts', '--check']],
];

/** Colours for a terminal, though the output of a check passes through this process. */
const env = process.stdout.isTTY ? { FORCE_COLOR: '1', ...process.env } : process.env;

const passes = async (name: string, [command = '', ...args]: readonly string[]): Promise<boolean> => {
  const started = performance.now();
  const child = spawn(`node_modules/.bin/${command}`, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, complaints] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const passed = child.exitCode === 0;
  const mark = passed ? styleText('green', '✓') : styleText('red', '✗');
  process.stdout.write(`${output}${complaints}${mark} ${name} (${seconds} s)\n`);
  return passed;
};

const passed = await mapLimited(checks, availableParallelism(), ([name, command]) => passes(name, command));
if (passed.includes(false)) process.exitCode = 1;
