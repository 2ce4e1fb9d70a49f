import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { manifest } from '../../functions/manifest.ts';
import { actionsIn, allows, policyOf } from './policies.ts';
import { controlsOf, here, own, spelt } from './policy-controls.ts';
import { synthesized, writtenIn } from './stacks.ts';

const root = join(import.meta.dirname, '../..');
const names = ['deploy', 'execution', 'operator', 'restore'];
const settings = {
  alarmEmail: 'on-call@example.org',
  senderEmail: 'mail@example.org',
  monthlyBudgetDollars: 50,
  deployRepository: 'hall/tidemark',
  domainName: 'profiles.example.org',
  certificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/1',
};
const stages = [synthesized('prod', { settings }), synthesized('dev')];

it.each(names)('the policy %s fits into a policy of IAM', (name) => {
  expect(policyOf(name).size).toBeLessThan(6_144);
});

const types = [...new Set(stages.flatMap(writtenIn).map(([, { Type }]) => Type))].toSorted();

describe('the policy of CloudFormation', () => {
  const { policy } = policyOf('execution');

  it.each(types)('lets it make, change and delete each %s of the stages', (type) => {
    const refused = stages
      .flatMap(({ ofType }) => ofType(type))
      .flatMap((resource) =>
        controlsOf(type).flatMap(({ arn, actions }) =>
          spelt(actions)
            .filter((action) => !allows(policy, action, arn(resource)))
            .map((action) => `${action} on ${arn(resource)}`),
        ),
      );
    expect(refused.slice(0, 5)).toEqual([]);
  });

  it('has no action of a service that the stacks do not need', () => {
    const needed = types.flatMap(controlsOf).map(({ actions }) => actions.split(':')[0]);
    const granted = actionsIn(policy).map((action) => action.split(':')[0]);
    // Each template asks for the version of the bootstrap stack.
    expect([...new Set(granted)].toSorted()).toEqual([...new Set([...needed, 'ssm'])].toSorted());
  });

  it('reads the parameters of Systems Manager that the templates name', () => {
    const named = stages.flatMap(({ directory, assembly }) =>
      assembly.stacks.flatMap(({ name }) => {
        const file = readFileSync(join(directory, `${name}.template.json`), 'utf8');
        return [...file.matchAll(/"Default": ?"(\/[^"]+)"/g)].map(([, parameter = '']) => parameter);
      }),
    );
    expect(named.length).toBeGreaterThan(0);
    for (const parameter of named)
      expect(allows(policy, 'ssm:GetParameters', `arn:aws:ssm:${here}:parameter${parameter}`)).toBe(true);
  });

  it('hands roles to those services alone to which the stacks hand one', () => {
    const Passing = v.object({
      Role: v.optional(v.string()),
      RoleArn: v.optional(v.string()),
      ServiceRoleArn: v.optional(v.string()),
      Target: v.optional(v.looseObject({ RoleArn: v.optional(v.string()) })),
    });
    const handed = types.filter((type) =>
      stages
        .flatMap(({ ofType }) => ofType(type))
        .some(({ properties }) => {
          const parsed = v.safeParse(Passing, properties);
          const { Role, RoleArn, ServiceRoleArn, Target } = parsed.success ? parsed.output : {};
          return (Role ?? RoleArn ?? ServiceRoleArn ?? Target?.RoleArn) !== undefined;
        }),
    );
    const services = new Set(
      handed.map((type) => `${controlsOf(type)[0]?.actions.split(':')[0] ?? ''}.amazonaws.com`),
    );
    const [passing, ...more] = policy.Statement.filter(({ Action }) => Action.includes('iam:PassRole'));
    expect(more).toEqual([]);
    expect(passing?.Condition).toEqual({ StringEquals: { 'iam:PassedToService': [...services].toSorted() } });
  });

  it.each([
    ['dynamodb:GetItem', `arn:aws:dynamodb:${here}:table/tidemark-prod`],
    ['dynamodb:UpdateItem', `arn:aws:dynamodb:${here}:table/tidemark-prod`],
    ['dynamodb:Scan', `arn:aws:dynamodb:${here}:table/tidemark-prod`],
    ['s3:GetObject', 'arn:aws:s3:::tidemark-prod-uploads-000000000000-us-east-1/a'],
    ['s3:PutObject', 'arn:aws:s3:::tidemark-prod-uploads-000000000000-us-east-1/a'],
    ['sqs:ReceiveMessage', `arn:aws:sqs:${here}:tidemark-prod-drains`],
    ['logs:GetLogEvents', `arn:aws:logs:${here}:log-group:/aws/lambda/tidemark-prod-operator`],
    ['lambda:InvokeFunction', `arn:aws:lambda:${here}:function:tidemark-prod-operator`],
    ['lambda:UpdateFunctionCode', `arn:aws:lambda:${here}:function:other`],
    ['iam:PutRolePolicy', 'arn:aws:iam::000000000000:role/admin'],
    ['states:StartExecution', `arn:aws:states:${here}:stateMachine:tidemark-prod-importFile`],
  ])('does not allow %s on %s', (action, arn) => {
    expect(allows(policy, action, arn)).toBe(false);
  });
});

/** The commands of the SDK that each policy is for, by the program that sends them. */
const calls: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  operator: { lambda: ['Invoke'], cloudformation: ['DescribeStacks'] },
  deploy: {
    cloudformation: ['DescribeStacks', 'GetTemplate', 'UpdateTerminationProtection'],
    dynamodb: ['DescribeTable', 'DescribeLimits'],
    lambda: ['GetAccountSettings'],
    'api-gateway': ['GetAccount'],
  },
  restore: {
    dynamodb: [
      'DescribeContinuousBackups',
      'DescribeTable',
      'RestoreTableToPointInTime',
      'UpdateContinuousBackups',
      'UpdateTable',
      'UpdateTimeToLive',
    ],
    scheduler: ['DeleteSchedule'],
  },
  // Everybody may ask who they are.
  nobody: { sts: ['GetCallerIdentity'] },
};

/** Actions that have other names than their commands. */
const renamed: Readonly<Record<string, string>> = {
  'lambda:Invoke': 'lambda:InvokeFunction',
  'api-gateway:GetAccount': 'apigateway:GET',
};

/** Actions that AWS needs beside those of the commands: the reason is in docs/first-deployment.md. */
const beside: Readonly<Record<string, readonly string[]>> = {
  deploy: ['sts:AssumeRole'],
  restore: [
    ...['BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'Scan', 'UpdateItem'].map(
      (one) => `dynamodb:${one}`,
    ),
    ...['CreateGrant', 'Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey*', 'ReEncrypt*'].map(
      (one) => `kms:${one}`,
    ),
    // Its command is behind a paginator of the SDK.
    'scheduler:ListSchedules',
  ],
};

const flat = (byService: Readonly<Record<string, readonly string[]>>): readonly string[] =>
  Object.entries(byService).flatMap(([service, commands]) => commands.map((one) => `${service}:${one}`));

describe('the policies of people', () => {
  it('know every command of the SDK that the programs send', () => {
    const sent = globSync('cli/*.ts', { cwd: root }).flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8');
      return [...source.matchAll(/import (?:type )?\{([^}]*)\} from '@aws-sdk\/client-([a-z-]+)'/g)].flatMap(
        ([, imported = '', service = '']) =>
          imported
            .split(',')
            .map((name) => name.trim())
            .filter((name) => name.endsWith('Command'))
            .map((name) => `${service}:${name.slice(0, -'Command'.length)}`),
      );
    });
    expect([...new Set(sent)].toSorted()).toEqual(
      [...new Set(Object.values(calls).flatMap(flat))].toSorted(),
    );
  });

  it.each(['operator', 'deploy', 'restore'])('%s has the actions of its commands, and no other', (name) => {
    const needed = flat(calls[name] ?? {}).map((one) => renamed[one] ?? one);
    expect(actionsIn(policyOf(name).policy)).toEqual([...needed, ...(beside[name] ?? [])].toSorted());
  });

  it('operators call the functions of operators in each stage, and no other', () => {
    const { policy } = policyOf('operator');
    const callable = stages[0]
      ?.ofType('AWS::Lambda::Function')
      .filter((one) => allows(policy, 'lambda:InvokeFunction', own(one)));
    const expected = Object.entries(manifest).flatMap(([name, { trigger, localOnly }]) =>
      trigger.kind === 'invoke' && localOnly !== true ? [`tidemark-prod-${name}`] : [],
    );
    expect(callable?.map(({ ref }) => ref).toSorted()).toEqual(expected.toSorted());
    expect(
      allows(
        policy,
        'cloudformation:DescribeStacks',
        `arn:aws:cloudformation:${here}:stack/tidemark-prod-api/id`,
      ),
    ).toBe(true);
  });

  it('deployers read the stacks and tables of the service alone', () => {
    const { policy } = policyOf('deploy');
    for (const { name } of stages.flatMap(({ assembly }) => assembly.stacks))
      expect(
        allows(policy, 'cloudformation:GetTemplate', `arn:aws:cloudformation:${here}:stack/${name}/id`),
      ).toBe(true);
    expect(
      allows(policy, 'cloudformation:GetTemplate', `arn:aws:cloudformation:${here}:stack/other/id`),
    ).toBe(false);
    expect(
      allows(
        policy,
        'sts:AssumeRole',
        'arn:aws:iam::000000000000:role/cdk-hnb659fds-cfn-exec-role-000000000000-us-east-1',
      ),
    ).toBe(false);
  });
});
