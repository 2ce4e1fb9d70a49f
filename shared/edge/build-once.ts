import {
  processEnv,
  type Env,
  type EnvName,
  type ResourceName,
  type SettingName,
  type VariableOf,
} from '../runtime/env.ts';

/** Variables that the wrapper of a route reads by itself. */
type WrapperVariable = VariableOf<'table' | 'credentials' | 'rates' | 'auditLog', 'accountRate'>;

/** Variables that an entry names and nobody reads. */
type Unread<To extends ResourceName, Setting extends SettingName, Read extends EnvName> = Exclude<
  VariableOf<To, Setting>,
  Read | WrapperVariable
>;

/**
 * Builds the ports of a use case from variables of its environment: from all those of the resources and settings that its
 * entry names, and from no others. An entry that names too little or too much does not compile.
 */
export type BuildDeps<Deps, To extends ResourceName, Setting extends SettingName, Read extends EnvName> = ((
  env: Env<Read>,
) => Deps) &
  ([Unread<To, Setting, Read>] extends [never] ? unknown : { readonly unread: Unread<To, Setting, Read> });

/** The ports of a handler, built from the environment of the process at the first call and kept. */
export const buildOnce = <Deps, Name extends EnvName>(deps: (env: Env<Name>) => Deps): (() => Deps) => {
  let built: { readonly deps: Deps } | undefined;
  return () => (built ??= { deps: deps(processEnv) }).deps;
};
