/**
 * The synthesized stacks for the infrastructure tests, with stub code: each stage once for a state of the sources, whatever
 * process or run asks first.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import type { FunctionEntry } from '../../functions/entry.ts';
import { manifest } from '../../functions/manifest.ts';
import { buildApp, type AppProps } from '../../lib/app.ts';
import { sourceDigest } from '../../lib/constructs/source-digest.ts';
import { readAssembly, type Assembly } from '../../local/assembly/assembly.ts';
import { loadDeployment, type Deployment, type DeployedOf } from '../../local/assembly/deployment.ts';
import { ROOT } from '../../cli/standalone/root.ts';
import { shortName } from '../../cli/standalone/names.ts';
import { resolveAssembly, type ResolvedResource } from '../../local/assembly/resolution.ts';
import { type Templates, templateSchema } from '../../cli/deployment-losses.ts';

const root = mkdtempSync(join(tmpdir(), 'tidemark-infra-'));
process.once('exit', () => rmSync(root, { recursive: true, force: true }));

/** A stub code folder for every function, so that tests of the templates need no bundles. */
export const stubBundle: NonNullable<AppProps['bundle']> = (functions) => {
  const folder = join(root, 'code');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.mjs'), 'export const handler = () => undefined;\n');
  return new Map(Object.keys(functions).map((name) => [name, folder]));
};

/** An empty output folder for a synthesis. */
export const freshFolder = (): string => mkdtempSync(join(root, 'out-'));

export interface Synthesized {
  /** Folder of the templates. */
  readonly directory: string;
  readonly assembly: Assembly;
  /** All resources by CloudFormation type, with resolved names. */
  readonly ofType: (type: string) => readonly ResolvedResource[];
  readonly deployment: Deployment;
}

/** What decides the templates, beside stage and settings. */
const sources = [
  '{functions,lib,shared}/**/*.ts',
  'docs/policies/*.json',
  'test/infra/stacks.ts',
  'openapi.json',
  'package-lock.json',
];
const STALE_MS = 3_600_000;

/** The folder for stacks of these sources. Removes those of other sources that no run has asked for lately. */
const folderOfSources = (): string => {
  const all = join(ROOT, '.build', 'stacks');
  const folder = join(all, sourceDigest(ROOT, sources, []));
  mkdirSync(folder, { recursive: true });
  for (const other of readdirSync(all).map((name) => join(all, name))) {
    const made = statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (other !== folder && Date.now() - made > STALE_MS) rmSync(other, { recursive: true, force: true });
  }
  return folder;
};

let ofSources: string | undefined;

/** The folder of stacks, which `synth` writes unless somebody has. A mutated source has the digest of the original. */
const keptStacks = (id: string, synth: (outdir: string) => void): string => {
  ofSources ??= process.env['MUTATED_TESTS'] === undefined ? folderOfSources() : root;
  const kept = join(ofSources, createHash('sha256').update(id).digest('hex').slice(0, 16));
  if (existsSync(kept)) return kept;
  const made = mkdtempSync(`${kept}-`);
  synth(made);
  try {
    renameSync(made, kept);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(kept)) throw error;
    rmSync(made, { recursive: true, force: true });
  }
  return kept;
};

const seen = new Map<string, Synthesized>();

/** The stacks of a stage, with its defaults or with settings of an operator. */
export const synthesized = (
  stage: string,
  more: Pick<AppProps, 'settings' | 'environment'> = {},
): Synthesized => {
  const id = JSON.stringify([stage, more]);
  const known = seen.get(id);
  if (known !== undefined) return known;
  const directory = keptStacks(id, (outdir) => {
    buildApp({ stage, outdir, bundle: stubBundle, ...more }).synth();
  });
  const assembly = readAssembly(directory);
  const resources = resolveAssembly(assembly, 'https://sqs.us-east-1.amazonaws.com');
  const made: Synthesized = {
    directory,
    assembly,
    ofType: (type) => resources.filter((one) => one.type === type),
    deployment: loadDeployment(directory, { shortName }),
  };
  seen.set(id, made);
  return made;
};

/** The templates of the stacks, by their names. */
export const templatesOf = ({ assembly }: Pick<Synthesized, 'assembly'>): Templates =>
  new Map(assembly.stacks.map(({ name, template }) => [name, v.parse(templateSchema, template)] as const));

/** The functions of the manifest that every stage has. */
export const functions: readonly (readonly [name: string, entry: FunctionEntry])[] = Object.entries(
  manifest,
).filter(([, { localOnly }]) => localOnly !== true);

/** The deployed function of a name; throws if it is missing. */
export const functionOf = ({ deployment }: Synthesized, name: string): DeployedOf<'functions'> => {
  const found = deployment.functions.find((one) => one.name.endsWith(`-${name}`));
  if (found === undefined) throw new Error(`No function ${name} in the templates`);
  return found;
};

/** The only item of a list, or the only one that fits; throws if there is none, or if there are several. */
export const only = <T>(list: readonly T[], what: string, fits: (one: T) => boolean = () => true): T => {
  const [first, ...more] = list.filter(fits);
  if (first === undefined || more.length > 0) throw new Error(`not one of ${what} in ${list.length}`);
  return first;
};

/** The only item of a name. */
export const named = <T extends { readonly name: string }>(list: readonly T[], name: string): T =>
  only(list, name, (one) => one.name === name);

/** The resources of all templates by their logical ids, as they were written. */
export const writtenIn = ({ assembly }: Pick<Synthesized, 'assembly'>) =>
  assembly.stacks.flatMap(({ template }) => Object.entries(template.Resources));

/** The only permission to call a function, by its ARN. */
export const permissionOf = ({ deployment }: Synthesized, arn: string) =>
  only(deployment.permissions, 'its permissions', ({ properties }) => properties.FunctionName === arn);

/** The statements of a role, or of several. */
export const statementsOf = (...roles: readonly DeployedOf<'roles'>[]) =>
  roles
    .flatMap(({ properties }) => properties.Policies)
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);

/** `action on resource`: one for each pair that roles allow. */
export const grantsIn = (...roles: readonly DeployedOf<'roles'>[]): readonly string[] =>
  statementsOf(...roles).flatMap(({ Action, Resource }) =>
    Action.flatMap((action) => Resource.map((resource) => `${action} on ${resource}`)),
  );

/** An attribute of the resource, as text. */
export const attribute = (resource: Pick<ResolvedResource, 'attributes'>, name: string): string =>
  v.parse(v.string(), resource.attributes[name]);
