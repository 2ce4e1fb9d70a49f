// Runs a script of the project on the Node version that the project pins, installing the dependencies first when they
// are missing or out of date. Plain JavaScript without imports from npm: it runs before anything is installed, on any
// Node ≥ 20. Usage: node cli/launch.mjs <script> [argument…]
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');

const fail = (sentence) => {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
};

const packagesOf = (lockFile) => JSON.parse(readFileSync(lockFile, 'utf8')).packages ?? {};

/** Whether node_modules holds every package of the lock file in its version (optional ones aside). */
const isInstalled = () => {
  const installedLock = join(modules, '.package-lock.json');
  if (!existsSync(installedLock) || !existsSync(join(modules, '.bin', 'node'))) return false;
  const installed = packagesOf(installedLock);
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  );
};

const install = () => {
  process.stderr.write('Installing dependencies, once; this takes about a minute …\n');
  const options = ['ci', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const { status, error } = spawnSync('npm', options, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  if (error || status !== 0) fail('The dependencies could not be installed; run `npm ci` to see why.');
};

// The C library gives each thread its own arena and keeps the memory of ended threads. With two arenas the embedded cloud
// takes 100 MB less (measured).
const arenas = { MALLOC_ARENA_MAX: '2' };

// The embedded cloud keeps two cores busy, so V8's helper threads, which optimise code and collect garbage early, take time
// from it. In this mode a cold import takes a tenth less processor time, and a long import takes no more.
const nodeOptions = ['--battery-saver-mode'];

// Node keeps the compiled modules of the project and of its packages: the next start takes a fifth less time (measured).
const compiled = { NODE_COMPILE_CACHE: join(root, '.build', 'compiled') };

const run = (script, args) => {
  const bin = join(modules, '.bin');
  const child = spawn(join(bin, 'node'), [...nodeOptions, join(root, script), ...args], {
    stdio: 'inherit',
    env: { ...arenas, ...compiled, ...process.env, PATH: `${bin}:${process.env.PATH}` },
  });
  // Who stops us may mean the whole group or know only this process; waiting lets the child stop cleanly and decide the
  // exit code.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
};

const [script, ...args] = process.argv.slice(2);
if (Number(process.versions.node.split('.')[0]) < 20) fail('Tidemark needs Node 20 or newer.');
if (!script) fail('Usage: node cli/launch.mjs <script> [argument…]');
if (!isInstalled()) install();
run(script, args);
