/** What an app factory is given: the stage's name, CDK context, and where the assembly goes. */
export interface SynthOptions {
  readonly stage: string;
  readonly context: Readonly<Record<string, string>>;
  readonly outdir: string;
}

/** An app factory: `buildApp` of the service, or of a test's own small application. */
export type AppFactory = (options: SynthOptions) => { synth(): { readonly directory: string } };

/** Synthesizes in this process and returns the assembly's directory. */
export const synthesize = (factory: AppFactory, options: SynthOptions): string =>
  factory(options).synth().directory;
