/**
 * Counts the files that the handler of each function reaches: files of the project of which its bundle holds code.
 * `node cli/launch.mjs bench/probes/files-reached.ts [list]`. `list` prints the number of each function.
 */
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { count, table as printTable } from '../../cli/terminal.ts';
import { manifest } from '../../functions/manifest.ts';

const root = resolve(import.meta.dirname, '../..');
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: Object.values(manifest).map(({ source }) => join(root, 'functions', `${source}.ts`)),
  bundle: true,
  write: false,
  outdir: 'out',
  external: ['@aws-sdk/*', 'openpgp', 'ssh2', 'libphonenumber-js', 'entities', '*.node'],
  platform: 'node',
  format: 'esm',
  minify: true,
  metafile: true,
});

const reached = Object.entries(metafile.outputs).map(([output, { inputs }]) => {
  const files = Object.entries(inputs).filter(
    ([path, { bytesInOutput }]) => /^(shared|functions)\//.test(path) && bytesInOutput > 0,
  );
  return { name: basename(output, '.js'), files: files.length };
});
const sorted = reached.toSorted((one, other) => one.files - other.files);
const at = (share: number): string =>
  `${count(sorted[Math.floor((sorted.length - 1) * share)]?.files ?? 0)} files`;
if (sorted.at(-1)?.files === undefined) throw new Error('no handler reaches a file');

printTable([
  ['handlers', count(sorted.length)],
  ['median', at(0.5)],
  ['the most', at(1)],
]);
if (process.argv[2] === 'list') printTable(sorted.map(({ name, files }) => [name, count(files)]));
