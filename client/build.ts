/**
 * The first half of `npm run build:clients`: builds the npm package `tidemark` into `.build/tidemark`, packs it and prints
 * its file. The package has no dependencies: the libraries of the command line are bundled, with their licences.
 * `node client/build.ts <folder>` builds into this folder instead of `.build`.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import * as v from 'valibot';

const root = dirname(import.meta.dirname);
const [target = join(root, '.build')] = process.argv.slice(2);
const out = join(target, 'tidemark');
const dist = join(out, 'dist');

const manifest = v.parse(
  v.looseObject({ engines: v.object({ node: v.pipe(v.string(), v.regex(/^>=\d+$/)) }) }),
  JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')),
);

const usual: BuildOptions = {
  absWorkingDir: root,
  outdir: dist,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: `node${manifest.engines.node.slice('>='.length)}`,
  metafile: true,
  legalComments: 'none',
};

const run = (command: string, args: readonly string[], cwd: string): string => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
};

/** The library: one file for each entry and what they share, with its types. */
const buildLibrary = async (): Promise<void> => {
  const entryPoints = ['client/src/index.ts', 'client/src/webhooks.ts'];
  const { metafile } = await build({ ...usual, metafile: true, entryPoints, splitting: true });
  const foreign = packagesOf(metafile);
  if (foreign.length > 0) throw new Error(`The library imports ${foreign.join(', ')}.`);
  run(join(root, 'node_modules/.bin/tsc'), ['--project', 'client/tsconfig.json', '--outDir', dist], root);
};

/** The command line: one file, and the licences of what is bundled into it. */
const buildCommandLine = async (): Promise<void> => {
  const file = join(dist, 'cli.js');
  const { metafile } = await build({
    ...usual,
    metafile: true,
    entryPoints: [{ in: 'client/cli/main.ts', out: 'cli' }],
    minify: true,
    // Bundled CommonJS needs `require` for the modules of Node.
    banner: {
      js: "import { createRequire as $createRequire } from 'node:module';\nconst require = $createRequire(import.meta.url);",
    },
  });
  chmodSync(file, 0o755);
  writeFileSync(join(dist, 'cli-licences.txt'), packagesOf(metafile).map(licenceOf).join('\n\n'));
};

/** The npm packages that a bundle contains. */
const packagesOf = ({ inputs }: Metafile): readonly string[] => [
  ...new Set(
    Object.keys(inputs).flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []),
  ),
];

const licenceOf = (name: string): string => {
  const folder = join(root, 'node_modules', name);
  const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'LICENCE'].find((each) =>
    existsSync(join(folder, each)),
  );
  if (file === undefined) throw new Error(`${name} has no licence file.`);
  return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
};

rmSync(out, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
// `browser` is about the sources, which the console bundles.
const published = (key: string, value: unknown): unknown => (key === 'browser' ? undefined : value);
writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest, published, 2)}\n`);
copyFileSync(join(import.meta.dirname, 'README.md'), join(out, 'README.md'));
copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
await buildLibrary();
await buildCommandLine();
const packed = run('npm', ['pack', '--silent', '--pack-destination', target], out).trim();
process.stdout.write(`${join(target, packed)}\n`);
