/** Synth: writes the cloud assembly of an application, for the embedded cloud. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { isAlive } from '../core/process.ts';
import { sourceDigest } from '../../lib/constructs/source-digest.ts';

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
const kept = join(root, '.build', 'assemblies');

/** What decides the templates and the bundles, beside the context. */
const sources = [
  '{bin,functions,lib,shared}/**/*.ts',
  'local/assembly/synth*.ts',
  'cdk.json',
  'openapi.json',
  'package-lock.json',
];

/** Kept assemblies that no start has used for this long are removed. */
const STALE_MS = 3_600_000;

/** The folder of the kept assembly. Synthesizes it in a folder of its own, and moves the folder in place whole. */
const keptAssembly = async ({ stage, context }: SynthOptions): Promise<string> => {
  const name = sourceDigest(root, sources, [stage, Object.entries(context).toSorted()]);
  const folder = join(kept, name);
  mkdirSync(kept, { recursive: true });
  // The mark of a process keeps the folder from removal for as long as the process lives.
  writeFileSync(join(kept, `${name}.${process.pid}`), '');
  if (existsSync(folder)) {
    const now = new Date();
    utimesSync(folder, now, now);
    return folder;
  }
  removeStale();
  const outdir = mkdtempSync(join(kept, `${name}-`));
  await synthesizeApart({ stage, context, outdir });
  try {
    renameSync(outdir, folder);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error;
    rmSync(outdir, { recursive: true, force: true });
  }
  return folder;
};

/** Removes the marks of ended processes, and the stale folders that no process has marked. */
const removeStale = (): void => {
  const names = readdirSync(kept);
  const marks = names.filter((name) => name.includes('.'));
  const held = new Set<string>();
  for (const mark of marks) {
    const [name = '', pid] = mark.split('.');
    if (isAlive(Number(pid))) held.add(name);
    else rmSync(join(kept, mark), { force: true });
  }
  for (const name of names.filter((each) => !each.includes('.') && !held.has(each))) {
    const used = statSync(join(kept, name), { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - used > STALE_MS) rmSync(join(kept, name), { recursive: true, force: true });
  }
};

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
