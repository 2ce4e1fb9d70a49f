import { Worker } from 'node:worker_threads';

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
 * The factory of the service. It runs in a worker thread that ends with the synthesis. CDK and its constructs hold 40
 * MB, which would otherwise slow down every garbage collection of the long-lived process and enlarge its heap.
 */
export const serviceFactory: AppFactory = (options) => ({ synth: () => synthesizeApart(options) });

const synthesizeApart = async (options: SynthOptions): Promise<Assembled> => {
  const worker = new Worker(new URL('./synth-worker.ts', import.meta.url), { workerData: options });
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the synthesis ended with ${code}`));
    });
  });
  return { directory: options.outdir };
};
