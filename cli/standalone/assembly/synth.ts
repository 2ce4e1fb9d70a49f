/** Synth: writes the cloud assembly of the service for one machine. */
import { Worker } from 'node:worker_threads';
import { join } from 'node:path';
import { pageSources, sourceDigest } from '../../../lib/constructs/source-digest.ts';
import { ROOT } from '../root.ts';
import { keptBuild } from './kept-build.ts';

/** Settings of the stage, as text: the CDK context. */
export type Settings = Readonly<Record<string, string>>;

/** What decides the templates and the bundles, beside the settings. */
const sources = [
  '{bin,functions,lib,shared}/**/*.ts',
  'cli/standalone/assembly/synth*.ts',
  ...pageSources,
  'cdk.json',
  'openapi.json',
  'package.json',
  'package-lock.json',
];

/**
 * The directory of the assembly of the stage `local`. It is synthesized once per change of the source or of the
 * settings, and kept for all runs.
 */
export const keptAssembly = (settings: Settings): Promise<string> =>
  keptBuild({
    folder: join(ROOT, '.build', 'assemblies'),
    name: sourceDigest(ROOT, sources, Object.entries(settings).toSorted()),
    build: (outdir) => synthesizeApart(settings, outdir),
  });

/**
 * Synthesizes in a worker thread that ends with the synthesis. CDK and its constructs hold 40 MB, which would otherwise
 * slow down every garbage collection of the long-lived process and enlarge its heap.
 */
const synthesizeApart = async (settings: Settings, outdir: string): Promise<void> => {
  const worker = new Worker(new URL('./synth-worker.ts', import.meta.url), {
    workerData: { settings, outdir },
  });
  await new Promise<void>((done, reject) => {
    worker.once('error', reject);
    worker.once('exit', (code) => {
      if (code === 0) done();
      else reject(new Error(`the synthesis ended with ${code}`));
    });
  });
};
