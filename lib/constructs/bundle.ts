/** Bundles: builds the code of all functions with esbuild, once per change of the source. */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSync, type BuildOptions, type Metafile } from 'esbuild';
import type { Service } from './service.ts';
import { pageSources, sourceDigest } from './source-digest.ts';

const root = resolve(import.meta.dirname, '../..');
const output = join(root, '.build', 'functions');
const staleMilliseconds = 3_600_000;

/**
 * An import of `node:http` as an ES module would evaluate all its lazy parts at every cold start (15 ms of processor
 * time).
 */
const httpAliases = { 'node:http': './lib/builtins/http.ts', 'node:https': './lib/builtins/https.ts' };

/** Modules for files, of which an import would also evaluate all parts; most functions read no file. */
const fileAliases = {
  'node:fs': './lib/builtins/fs.ts',
  'node:fs/promises': './lib/builtins/fs-promises.ts',
};

/**
 * Options of the bundler. ES modules of packages give smaller bundles that load faster than the CommonJS modules in
 * `main`. The banner defines the names that CommonJS parts of a bundle expect.
 */
const bareOptions = {
  bundle: true,
  minify: true,
  keepNames: false,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // Letters of other alphabets as such, not as escapes of three times their length.
  charset: 'utf8',
  mainFields: ['module', 'main'],
  alias: httpAliases,
  // Native addons are built for one machine, and their packages work without them.
  external: ['*.node'],
  legalComments: 'none',
  logLevel: 'silent',
  banner: {
    js: "const require=process.getBuiltinModule('node:module').createRequire(import.meta.url),__filename=import.meta.filename,__dirname=import.meta.dirname;",
  },
} as const satisfies BuildOptions;

/**
 * Packages that functions import when they need them, by the files that they are bundled from. They lie beside the bundles,
 * in `node_modules`, because a cold start would compile them together with the bundle (25 ms for the client of S3). Each
 * is a package, or an entry of one: `package/entry`.
 */
const latePackages = {
  '@aws-sdk/client-s3': './lib/builtins/client-s3.ts',
  '@aws-sdk/client-scheduler': './lib/builtins/client-scheduler.ts',
  '@aws-sdk/client-sfn': './lib/builtins/client-sfn.ts',
  '@aws-sdk/client-sqs': './lib/builtins/client-sqs.ts',
  'entities/decode': 'entities/decode',
  'libphonenumber-js/max': 'libphonenumber-js/max',
  'libphonenumber-js/min': 'libphonenumber-js/min',
  openpgp: 'openpgp',
  ssh2: 'ssh2',
};

/** The options of the functions and of the late packages, which also leave out what no function needs. */
const lateOptions = {
  ...bareOptions,
  outExtension: { '.js': '.mjs' },
  alias: {
    ...httpAliases,
    ...fileAliases,
    '@aws-sdk/credential-provider-node': './lib/builtins/credentials.ts',
  },
} satisfies BuildOptions;

/** The options of the functions: they import the late packages instead of holding them. */
const options = {
  ...lateOptions,
  external: [...bareOptions.external, ...Object.keys(latePackages)],
} satisfies BuildOptions;

const sourceOf = (source: string): string => join('functions', `${source}.ts`);

/** The inputs of all bundles: the handler of each function, and the files beside it. */
interface Inputs {
  readonly entryPoints: Readonly<Record<string, string>>;
  /** What a file holds, by its place in the output: `files` of a manifest entry. */
  readonly files: Readonly<Record<string, readonly string[]>>;
}

const inputsOf = (manifest: Service['manifest']): Inputs => {
  const entries = Object.entries(manifest);
  return {
    entryPoints: Object.fromEntries(entries.map(([name, { source }]) => [`${name}/index`, sourceOf(source)])),
    files: Object.fromEntries(
      entries.flatMap(([name, { files = {} }]) =>
        Object.entries(files).map(([file, parts]) => [`${name}/${file}.gz`, parts]),
      ),
    ),
  };
};

/** What decides the code of all functions, beside the options of the bundler. */
const sources = [
  'functions/**/*.ts',
  'shared/**/*.ts',
  ...pageSources,
  'lib/builtins/*.ts',
  'openapi.json',
  'package.json',
  'package-lock.json',
];

/** Digest of all inputs of a bundle: the sources, the locked packages and the options. */
const digestOf = (inputs: Inputs): string =>
  sourceDigest(root, sources, [options, latePackages, pageOptions, inputs]);

const removeStale = (keep: string): void => {
  for (const name of readdirSync(output)) {
    const folder = join(output, name);
    // Another process may have removed it meanwhile.
    const made = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (name !== keep && Date.now() - made > staleMilliseconds)
      rmSync(folder, { recursive: true, force: true });
  }
};

/** Options of what browsers load: the console. Its packages are read where they are meant for browsers. */
const pageOptions = {
  bundle: true,
  minify: true,
  platform: 'browser',
  target: ['chrome123', 'firefox121', 'safari17.5'],
  format: 'esm',
  charset: 'utf8',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'silent',
} as const satisfies BuildOptions;

/** The text of a part of a file: a script or a style sheet of the console, built, or a file of an npm package. */
const textOf = (part: string): string => {
  if (!part.startsWith('console/')) return readFileSync(join(root, 'node_modules', part), 'utf8');
  const built = buildSync({ ...pageOptions, entryPoints: [part], absWorkingDir: root, write: false });
  return built.outputFiles[0]?.text ?? '';
};

/** A file as the functions have it: its parts, gzipped. */
export const packedFile = (parts: readonly string[]): Uint8Array =>
  gzipSync(parts.map(textOf).join('\n\n'), { level: 9 });

/** Writes the files beside the bundles. A file that two functions have is made once. */
const writeFiles = (files: Inputs['files'], outdir: string): void => {
  const made = new Map<string, Uint8Array>();
  for (const [place, parts] of Object.entries(files)) {
    const name = parts.join();
    const bytes = made.get(name) ?? packedFile(parts);
    made.set(name, bytes);
    writeFileSync(join(outdir, place), bytes);
  }
};

/** The package of an import, and the entry of its `exports`: of `@a/b/c` the package `@a/b` and the entry `./c`. */
const entryOf = (name: string): readonly [packageName: string, entry: string] => {
  const parts = name.split('/');
  const own = parts.splice(0, name.startsWith('@') ? 2 : 1);
  return [own.join('/'), ['.', ...parts].join('/')];
};

/** Writes a late package, or an entry of one, beside the bundles that import it. */
const writeLatePackage = ({ outputs }: Metafile, outdir: string, [name, source]: [string, string]): void => {
  const [packageName, entry] = entryOf(name);
  const file = `${entry}/index.mjs`;
  const importers = Object.entries(outputs).filter(([, { imports }]) =>
    imports.some(({ path }) => path === name),
  );
  const { outputFiles } = buildSync({
    ...lateOptions,
    entryPoints: [source],
    absWorkingDir: root,
    write: false,
  });
  // All late entries of the package, so that each of them may write this file.
  const exports = Object.fromEntries(
    Object.keys(latePackages)
      .map(entryOf)
      .filter(([other]) => other === packageName)
      .map(([, other]) => [other, `${other}/index.mjs`]),
  );
  for (const [bundle] of importers) {
    const folder = join(outdir, basename(dirname(bundle)), 'node_modules', packageName);
    mkdirSync(join(folder, entry), { recursive: true });
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: packageName, type: 'module', exports }),
    );
    writeFileSync(join(folder, file), outputFiles[0]?.contents ?? '');
  }
};

const runEsbuild = (entryPoints: Inputs['entryPoints'], outdir: string): void => {
  try {
    const { metafile } = buildSync({ ...options, entryPoints, outdir, absWorkingDir: root, metafile: true });
    for (const late of Object.entries(latePackages)) writeLatePackage(metafile, outdir, late);
  } catch (error) {
    // esbuild's own error carries every message several times over.
    throw new Error(error instanceof Error ? error.message : 'esbuild failed');
  }
};

/**
 * Bundles into a folder of its own and moves it in place whole, so that processes side by side don't disturb each
 * other.
 */
const build = ({ entryPoints, files }: Inputs, digest: string): void => {
  mkdirSync(output, { recursive: true });
  const temporary = join(output, `${digest}-${process.pid}`);
  runEsbuild(entryPoints, temporary);
  writeFiles(files, temporary);
  try {
    renameSync(temporary, join(output, digest));
  } catch (error) {
    if (!existsSync(join(output, digest))) throw error;
    rmSync(temporary, { recursive: true, force: true });
  }
  removeStale(digest);
};

/**
 * Bundles the handlers of all functions together and returns the folder of each, with an `index.mjs` and the files of
 * the function inside. Does nothing when no source has changed. @throws Error with the names of missing handlers.
 */
export const bundleFunctions = (manifest: Service['manifest']): ReadonlyMap<string, string> => {
  const entries = Object.entries(manifest);
  const missing = entries
    .map(([, { source }]) => sourceOf(source))
    .filter((file) => !existsSync(join(root, file)));
  if (missing.length > 0)
    throw new Error(`The manifest names handlers that do not exist: ${missing.join(', ')}`);
  const inputs = inputsOf(manifest);
  const digest = digestOf(inputs);
  const folder = join(output, digest);
  if (!existsSync(folder)) build(inputs, digest);
  return new Map(entries.map(([name]) => [name, join(folder, name)]));
};

/**
 * Bundles one file for a comparison with the functions: with the same options, but with the AWS SDK as it comes.
 */
export const bundleFile = (entryPoint: string, outfile: string): void => {
  buildSync({ ...bareOptions, entryPoints: [entryPoint], outfile, absWorkingDir: root });
};
