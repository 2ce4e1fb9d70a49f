/** Arguments of `npm run deploy` and `npm run destroy`: the arguments of the guard, and the arguments for the CDK. */

/** The arguments of a deployment. */
export interface DeployArguments {
  readonly stage: string;
  readonly allowRemoval: boolean;
  /** The table that the deployment may leave without being told so, because another takes its place. */
  readonly leaving?: string;
  readonly help: boolean;
  readonly profile?: string;
  /** Arguments for the CDK's `deploy`. */
  readonly forDeploy: readonly string[];
  /** Arguments for the CDK's `synth`. */
  readonly forSynth: readonly string[];
}

const valueOf = (args: readonly string[], name: string): string | undefined => {
  const at = args.indexOf(name);
  if (at >= 0) return args[at + 1];
  return args.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
};

/** The settings of the CDK context, `name=value`. */
const contextOf = (args: readonly string[]): readonly string[] =>
  args.flatMap((one, at) => {
    if (one === '-c' || one === '--context') return [args[at + 1] ?? ''];
    return one.startsWith('--context=') ? [one.slice('--context='.length)] : [];
  });

/** Reads the command line of `npm run deploy`. */
export const readDeployArguments = (args: readonly string[]): DeployArguments => {
  const profile = valueOf(args, '--profile');
  const context = contextOf(args);
  return {
    stage: context.find((pair) => pair.startsWith('stage='))?.slice('stage='.length) ?? 'dev',
    allowRemoval: args.includes('--allow-removal'),
    help: args.includes('--help') || args.includes('-h'),
    ...(profile !== undefined && { profile }),
    forDeploy: args.filter((one) => one !== '--allow-removal'),
    forSynth: [
      ...context.flatMap((pair) => ['--context', pair]),
      ...(profile === undefined ? [] : ['--profile', profile]),
    ],
  };
};

/** The arguments of a removal of a stage. */
export interface DestroyArguments extends Pick<DeployArguments, 'stage' | 'help' | 'profile' | 'forSynth'> {
  /** The name of the stage, once more. */
  readonly confirm: string | undefined;
  /** Whether the operator has agreed on the command line. */
  readonly yes: boolean;
  /** Arguments for the CDK's `destroy`. */
  readonly forDestroy: readonly string[];
}

/** Reads the command line of `npm run destroy`. */
export const readDestroyArguments = (args: readonly string[]): DestroyArguments => {
  const { stage, help, profile, forSynth } = readDeployArguments(args);
  return {
    ...{ stage, help, forSynth },
    ...(profile !== undefined && { profile }),
    confirm: valueOf(args, '--confirm'),
    yes: args.includes('--yes'),
    forDestroy: args.filter(
      (one, at) =>
        one !== '--yes' &&
        one !== '--confirm' &&
        !one.startsWith('--confirm=') &&
        args[at - 1] !== '--confirm',
    ),
  };
};
