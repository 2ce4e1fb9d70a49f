/** Synth: writes the cloud assembly of an application, for the embedded cloud. */
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { sourceDigest } from '../../lib/constructs/source-digest.ts';
import { keptBuild } from './kept-build.ts';

/** Input of an app factory: the name of the stage, the CDK context, and the folder of the assembly. */
export interface SynthOptions {
  readonly stage: string;
  readonly context: Readonly<Record<string, string>>;
  readonly outdir: string;
}

/** An app factory: `buildApp` of the service, or the factory of a small test application. */
export type AppFactory = (options: SynthOptions) => {
  synth(): Assembled | Promise<Assembled>;
};

interface Assembled {
  readonly directory: string;
}

/** Synthesizes and returns the assembly's directory. */
export const synthesize = async (factory: AppFactory, options: SynthOptions): Promise<string> =>
  (await factory(options).synth()).directory;

/**
 * The factory of the service. An assembly is synthesized once per change of the source or of the context, and kept for
 * all runs.
 */
export const serviceFactory: AppFactory = (options) => ({
  synth: async () => ({ directory: await keptAssembly(options) }),
});

const root = resolve(import.meta.dirname, '../..');

/** What decides the templates and the bundles, beside the context. */
const sources = [
  '{bin,functions,lib,shared}/**/*.ts',
  'local/assembly/synth*.ts',
  'cdk.json',
  'openapi.json',
  'package-lock.json',
];

const keptAssembly = ({ stage, context }: SynthOptions): Promise<string> =>
  keptBuild({
    folder: join(root, '.build', 'assemblies'),
    name: sourceDigest(root, sources, [stage, Object.entries(context).toSorted()]),
    build: (outdir) => synthesizeApart({ stage, context, outdir }),
  });

/**
 * Synthesizes in a worker thread that ends with the synthesis. CDK and its constructs hold 40 MB, which would otherwise
 * slow down every garbage collection of the long-lived process and enlarge its heap.
 */
const synthesizeApart = async (options: SynthOptions): Promise<void> => {
  const worker = new Worker(new URL('./synth-worker.ts', import.meta.url), { workerData: options });
  await new Promise<void>((done, reject) => {
    worker.once('error', reject);
    worker.once('exit', (code) => {
      if (code === 0) done();
      else reject(new Error(`the synthesis ended with ${code}`));
    });
  });
};
