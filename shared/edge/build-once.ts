import {
  processEnv,
  type Env,
  type EnvName,
  type ResourceName,
  type SettingName,
  type VariableOf,
} from '../runtime/env.ts';

/** Builds the ports of a use case from the variables of the resources and settings that its entry names. */
export type BuildDeps<Deps, To extends ResourceName, Setting extends SettingName> = (
  env: Env<VariableOf<To, Setting>>,
) => Deps;

/** The ports of a handler, built from the environment of the process at the first call and kept. */
export const buildOnce = <Deps, Name extends EnvName>(deps: (env: Env<Name>) => Deps): (() => Deps) => {
  let built: { readonly deps: Deps } | undefined;
  return () => (built ??= { deps: deps(processEnv) }).deps;
};
