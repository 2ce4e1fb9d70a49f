import { join } from 'node:path';
import { buildSync } from 'esbuild';

const built = new Map<string, URL>();

/**
 * A bootstrap of the runtime as plain JavaScript, bundled once per process. A worker that strips types itself would start
 * more slowly and keep the stripper in memory.
 */
export const bootstrapUrl = (file: 'bootstrap.ts' | 'loop-watch-worker.ts'): URL => {
  const known = built.get(file) ?? build(file);
  built.set(file, known);
  return known;
};

const build = (file: string): URL => {
  const { outputFiles } = buildSync({
    entryPoints: [join(import.meta.dirname, file)],
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    write: false,
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  return new URL(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
};
