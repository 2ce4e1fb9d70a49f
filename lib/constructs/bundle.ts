/** Bundles: builds the code of all functions with esbuild, once per change of the source. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSync, type BuildOptions } from 'esbuild';
import type { Service } from './service.ts';

const root = resolve(import.meta.dirname, '../..');
const output = join(root, '.build', 'functions');
const staleMilliseconds = 3_600_000;

/**
 * Options of the bundler. ES modules of packages give smaller bundles that load faster than the CommonJS modules in
 * `main`. The banner defines the names that CommonJS parts of a bundle expect. An import of `node:http` as an ES module
 * would evaluate all its lazy parts at every cold start (15 ms of processor time); the aliases avoid this.
 */
const options = {
  bundle: true,
  minify: true,
  keepNames: false,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  outExtension: { '.js': '.mjs' },
  alias: { 'node:http': './lib/builtins/http.ts', 'node:https': './lib/builtins/https.ts' },
  // Native addons are built for one machine, and their packages work without them.
  external: ['*.node'],
  legalComments: 'none',
  logLevel: 'silent',
  banner: {
    js: "const require=process.getBuiltinModule('node:module').createRequire(import.meta.url),__filename=import.meta.filename,__dirname=import.meta.dirname;",
  },
} as const satisfies BuildOptions;

const sourceOf = (source: string): string => join('functions', `${source}.ts`);

/** Digest of all inputs of a bundle: the sources, the locked packages and the options. */
const digestOfInputs = (entryPoints: Readonly<Record<string, string>>): string => {
  const sources = [
    'functions/**/*.ts',
    'shared/**/*.ts',
    'lib/builtins/*.ts',
    'openapi.json',
    'package-lock.json',
  ];
  const files = globSync(sources, { cwd: root });
  const hash = createHash('sha256').update(JSON.stringify([options, entryPoints]));
  for (const file of files.toSorted()) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)));
  }
  return hash.digest('hex').slice(0, 16);
};

const removeStale = (keep: string): void => {
  for (const name of readdirSync(output)) {
    const folder = join(output, name);
    // Another process may have removed it meanwhile.
    const made = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (name !== keep && Date.now() - made > staleMilliseconds)
      rmSync(folder, { recursive: true, force: true });
  }
};

const runEsbuild = (entryPoints: Readonly<Record<string, string>>, outdir: string): void => {
  try {
    buildSync({ ...options, entryPoints, outdir, absWorkingDir: root });
  } catch (error) {
    // esbuild's own error carries every message several times over.
    throw new Error(error instanceof Error ? error.message : 'esbuild failed');
  }
};

/**
 * Bundles into a folder of its own and moves it in place whole, so that processes side by side don't disturb each
 * other.
 */
const build = (entryPoints: Readonly<Record<string, string>>, digest: string): void => {
  mkdirSync(output, { recursive: true });
  const temporary = join(output, `${digest}-${process.pid}`);
  runEsbuild(entryPoints, temporary);
  try {
    renameSync(temporary, join(output, digest));
  } catch (error) {
    if (!existsSync(join(output, digest))) throw error;
    rmSync(temporary, { recursive: true, force: true });
  }
  removeStale(digest);
};

/**
 * Bundles the handlers of all functions together and returns the folder of each, with an `index.mjs` inside. Does
 * nothing when no source has changed. @throws Error with the names of missing handlers.
 */
export const bundleFunctions = (manifest: Service['manifest']): ReadonlyMap<string, string> => {
  const entries = Object.entries(manifest);
  const missing = entries
    .map(([, { source }]) => sourceOf(source))
    .filter((file) => !existsSync(join(root, file)));
  if (missing.length > 0)
    throw new Error(`The manifest names handlers that do not exist: ${missing.join(', ')}`);
  const entryPoints = Object.fromEntries(
    entries.map(([name, { source }]) => [`${name}/index`, sourceOf(source)]),
  );
  const digest = digestOfInputs(entryPoints);
  const folder = join(output, digest);
  if (!existsSync(folder)) build(entryPoints, digest);
  return new Map(entries.map(([name]) => [name, join(folder, name)]));
};
