import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { manifest } from '../../../functions/manifest.ts';
import { buildApp } from '../../../lib/app.ts';
import { checkDeployment } from '../../../local/assembly/checks/check-deployment.ts';
import type { Deployment } from '../../../local/assembly/deployment.ts';
import { stackProblems } from '../../../cli/standalone/checks/stack-problems.ts';
import { readAssembly, type Assembly } from '../../../local/assembly/assembly.ts';

/** The real stacks of the local stage with empty bundles: the tests concern the templates. */
export const realAssembly = (): Assembly => {
  const local = resolve(import.meta.dirname, '../../../.local/test');
  mkdirSync(local, { recursive: true });
  const folder = mkdtempSync(join(local, 'stacks-'));
  // Beside the assembly, which would otherwise be copied into itself.
  const code = join(folder, 'code');
  mkdirSync(code);
  writeFileSync(join(code, 'index.mjs'), 'export const handler = () => undefined;\n');
  const bundle = () => new Map(Object.keys(manifest).map((name) => [name, code]));
  const outdir = join(folder, 'cdk.out');
  const settings = { baseUrl: 'http://127.0.0.1:1' };
  try {
    return readAssembly(buildApp({ stage: 'local', settings, outdir, bundle }).synth().directory);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** What a start says of stacks that it does not run. */
export const problemsOfStart = (deployment: Deployment): readonly string[] => [
  ...stackProblems(deployment, manifest),
  ...checkDeployment(deployment),
];

/** The assembly without one resource of one stack; `forgotten` also takes it out of the construct tree. */
export const without = (
  assembly: Assembly,
  stackName: string,
  logicalId: string,
  forgotten = false,
): Assembly => ({
  ...assembly,
  stacks: assembly.stacks.map((stack) => {
    if (stack.name !== stackName) return stack;
    const others = Object.entries(stack.template.Resources).filter(([id]) => id !== logicalId);
    const Resources = Object.fromEntries(others);
    const tree = forgotten ? stack.tree.filter((one) => one.logicalId !== logicalId) : stack.tree;
    return { ...stack, tree, template: { ...stack.template, Resources } };
  }),
});
