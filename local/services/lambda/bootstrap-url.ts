import { join } from 'node:path';
import { buildSync } from 'esbuild';

let built: URL | undefined;

/**
 * The bootstrap of the runtime as plain JavaScript, bundled once per process. A worker that strips types itself would
 * start more slowly and keep the stripper in memory.
 */
export const bootstrapUrl = (): URL => {
  built ??= build();
  return built;
};

const build = (): URL => {
  const { outputFiles } = buildSync({
    entryPoints: [join(import.meta.dirname, 'bootstrap.ts')],
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
