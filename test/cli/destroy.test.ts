import { Stack } from 'aws-cdk-lib/core';
import { describe, expect, it } from 'vitest';
import { liftProtection } from '../../cli/aws-account.ts';
import { readDestroyArguments } from '../../cli/deploy-arguments.ts';
import { judgeRemoval } from '../../cli/deploy-guard.ts';
import { buildApp } from '../../lib/app.ts';
import { freshFolder, stubBundle, synthesized, templatesOf } from '../infra/stacks.ts';
import { answeringAws, cloudFormationAnswer } from './answering-aws.ts';

const templates = (stage: string) => templatesOf(synthesized(stage));

describe('the removal of a stage', () => {
  it('names what it takes away, and what stays', () => {
    const { admitted, lines } = judgeRemoval({ stage: 'dev', confirm: undefined }, templates('dev'));
    expect(admitted).toBe(true);
    for (const what of [
      /^ {2}- the HTTP API with its address \(\w+\): deleted$/,
      /^ {2}- the table tidemark-dev \(Table\): deleted$/,
      /^ {2}- the queue tidemark-dev-exportRuns with its messages \(\w+\): deleted$/,
    ])
      expect(lines.filter((line) => what.test(line))).toHaveLength(1);
  });

  it('of a stage that keeps its data needs its name once more', () => {
    const deployed = templates('prod');
    for (const confirm of [undefined, 'dev']) {
      const { admitted, lines } = judgeRemoval({ stage: 'prod', confirm }, deployed);
      expect(admitted).toBe(false);
      expect(lines.at(-1)).toContain('--confirm prod');
    }
    const { admitted, lines } = judgeRemoval({ stage: 'prod', confirm: 'prod' }, deployed);
    expect(admitted).toBe(true);
    expect(lines).toContain('  - the table tidemark-prod (Table): kept, but no longer part of the stage');
  });

  it('of a stage without stacks is refused', () => {
    expect(judgeRemoval({ stage: 'prod', confirm: 'prod' }, new Map())).toEqual({
      admitted: false,
      lines: ['The stage prod has no stacks here.'],
    });
  });
});

it.each([
  ['prod', true],
  ['dev', false],
])('CloudFormation protects the stacks of %s: %s', (stage, isProtected) => {
  const app = buildApp({ stage, outdir: freshFolder(), bundle: stubBundle });
  const stacks = app.node.children.filter((one) => Stack.isStack(one));
  expect(stacks).toHaveLength(5);
  for (const one of stacks) expect(one.terminationProtection).toBe(isProtected);
});

describe('the protection of stacks', () => {
  const { answers, calls } = answeringAws();

  it('is lifted for each stack that is named', async () => {
    const answer = cloudFormationAnswer('UpdateTerminationProtection', '');
    answers.set('Action=UpdateTerminationProtection', answer);
    await liftProtection({ region: 'eu-central-1' }, ['tidemark-prod-data', 'tidemark-prod-api']);
    const lifted = calls.filter((call) => call.includes('EnableTerminationProtection=false'));
    expect(lifted.map((call) => /StackName=([\w-]+)/.exec(call)?.[1])).toEqual([
      'tidemark-prod-data',
      'tidemark-prod-api',
    ]);
  });
});

it('the CDK gets its arguments of a removal without those of the guard', () => {
  const args = ['-c', 'stage=prod', '--confirm', 'prod', '--profile', 'shop', '--yes'];
  expect(readDestroyArguments(args)).toMatchObject({
    ...{ stage: 'prod', confirm: 'prod', yes: true, profile: 'shop', help: false },
    forDestroy: ['-c', 'stage=prod', '--profile', 'shop'],
  });
  expect(readDestroyArguments(['-c', 'stage=prod', '--confirm=prod'])).toMatchObject({
    ...{ confirm: 'prod', yes: false },
    forDestroy: ['-c', 'stage=prod'],
  });
  expect(readDestroyArguments([])).toMatchObject({ stage: 'dev', confirm: undefined });
});
