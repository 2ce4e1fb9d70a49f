/**
 * The second half of `npm run build:clients`: builds the Python package `tidemark-client`, a wheel and a source
 * distribution, into `.build/python`, and prints their paths. It needs Python and Debian's package `flit`, and no network.
 * `node client/python/build.ts <folder>` builds into this folder instead of `.build`.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const root = join(import.meta.dirname, '../..');
const [target = join(root, '.build')] = process.argv.slice(2);
const out = join(target, 'python');
const source = join(out, 'source');

/** Debian's Python, which has the packages of Debian. */
const python = '/usr/bin/python3';

/** The interface of builders (PEP 517), which pip calls too. */
const program = `
from flit_core import buildapi
buildapi.build_sdist("..")
buildapi.build_wheel("..")
`;

const { version } = v.parse(
  v.object({ version: v.string() }),
  JSON.parse(readFileSync(join(root, 'client/package.json'), 'utf8')),
);
const project = readFileSync(join(import.meta.dirname, 'pyproject.toml'), 'utf8');
if (!project.includes(`\nversion = "${version}"\n`))
  throw new Error(`client/python/pyproject.toml has not the version ${version} of client/package.json.`);
const module = readFileSync(join(import.meta.dirname, 'tidemark/__init__.py'), 'utf8');
if (!module.includes(`\n__version__ = "${version}"\n`)) {
  throw new Error(
    `client/python/tidemark/__init__.py has not the version ${version} of client/package.json.`,
  );
}

rmSync(out, { recursive: true, force: true });
mkdirSync(source, { recursive: true });
for (const name of ['pyproject.toml', 'README.md', 'tidemark']) {
  cpSync(join(import.meta.dirname, name), join(source, name), {
    recursive: true,
    filter: (path) => !path.includes('__pycache__'),
  });
}
cpSync(join(root, 'LICENSE'), join(source, 'LICENSE'));
// The date of the files in the packages is fixed, so that the same source makes the same packages.
const env = { ...process.env, SOURCE_DATE_EPOCH: '1577836800' };
const { status, stderr, error } = spawnSync(python, ['-c', program], { cwd: source, env, encoding: 'utf8' });
if (status !== 0) throw new Error(`The Python package was not built: ${error?.message ?? stderr}`);
rmSync(source, { recursive: true });
for (const name of readdirSync(out)) process.stdout.write(`${join(out, name)}\n`);
