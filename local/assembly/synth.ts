import { Worker } from 'node:worker_threads';

/** What an app factory is given: the stage's name, CDK context, and where the assembly goes. */
export interface SynthOptions {
  readonly stage: string;
  readonly context: Readonly<Record<string, string>>;
  readonly outdir: string;
}

/** An app factory: `buildApp` of the service, or of a test's own small application. */
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
 * The service's own factory, in a thread that ends with the synthesis: the CDK and its constructs hold 40 MB, which the
 * collector of a long-lived process would otherwise go through, and allow room for, as long as it runs.
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
