/** Deploy stage: synthesizes the stacks of a stage, judges the deployment, and deploys the stacks with the CDK. */
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { styleText } from 'node:util';
import * as v from 'valibot';
import { awsAccount, liftProtection } from './aws-account.ts';
import type { DeployArguments } from './deploy-arguments.ts';
import { failedOf, judge } from './deploy-guard.ts';
import { factsOf, templateSchema, type Templates } from './deployment-losses.ts';

const ROOT = resolve(import.meta.dirname, '..');
/** Folder of the synthesized stacks. */
export const ASSEMBLY = join(ROOT, '.build', 'deployment');
const ENDING = '.template.json';

/** Runs the CDK, and returns its exit code. */
export const cdk = (...args: readonly string[]): Promise<number> =>
  new Promise((ended, failed) => {
    const child = spawn(process.execPath, [join(ROOT, 'node_modules/aws-cdk/bin/cdk'), ...args], {
      cwd: ROOT,
      stdio: 'inherit',
    });
    child.once('error', failed);
    child.once('exit', (code) => {
      ended(code ?? 1);
    });
  });

const synthesizedTemplates = (): Templates =>
  new Map(
    readdirSync(ASSEMBLY)
      .filter((file) => file.endsWith(ENDING))
      .map((file) => [
        file.slice(0, -ENDING.length),
        v.parse(templateSchema, JSON.parse(readFileSync(join(ASSEMBLY, file), 'utf8'))),
      ]),
  );

/** Options of the CDK that make CloudFormation take up existing tables and buckets. */
const takingUp = ({ forDeploy }: DeployArguments): readonly string[] =>
  // CloudFormation documents no change set that both takes up resources and reverts drift.
  forDeploy.includes('--revert-drift') ? [] : ['--import-existing-resources'];

/** The synthesized stacks of a stage, and where they go; otherwise an exit code. */
export const synthesizedStage = async (
  forSynth: readonly string[],
): Promise<
  | {
      readonly stacks: Templates;
      readonly environment: { readonly account: string; readonly region: string };
    }
  | number
> => {
  const synthesis = await cdk('synth', '--quiet', '--output', ASSEMBLY, ...forSynth);
  if (synthesis !== 0) return synthesis;
  const stacks = synthesizedTemplates();
  const { environment } = factsOf(stacks);
  if (environment !== undefined) return { stacks, environment };
  console.error('The CDK found no AWS account and region: set AWS_PROFILE, or credentials and AWS_REGION.');
  return 1;
};

/**
 * Deploys a stage, unless that would take something away that the arguments do not allow. Answers an exit code; the lines
 * for the operator are on standard error.
 */
export const deployStage = async (args: DeployArguments): Promise<number> => {
  const synthesis = await synthesizedStage(args.forSynth);
  if (typeof synthesis === 'number') return synthesis;
  const { stacks: next, environment } = synthesis;
  const { profile } = args;
  const access = { region: environment.region, ...(profile !== undefined && { profile }) };
  const account = awsAccount(access);
  const { admitted, lines } = await judge(args, next, account);
  for (const line of lines) console.error(styleText('yellow', line));
  if (!admitted) return 1;
  // The CDK deletes a stack whose first deployment failed, but has protected it before it made the first resource.
  await liftProtection(access, await failedOf([...next.keys()], account));
  return cdk('deploy', '--all', '--app', ASSEMBLY, ...takingUp(args), ...args.forDeploy);
};
