import { describe, expect, it } from 'vitest';
import { callersOf } from '../../../local/assembly/callers.ts';
import { resolveDeployment, type Deployment } from '../../../local/assembly/deployment.ts';
import { keyGuardOf } from '../../../local/assembly/key-policies.ts';
import type { ResourceStatement } from '../../../local/core/policy-documents.ts';
import { only } from '../../infra/stacks.ts';
import { problemsOfStart, realAssembly } from './stacks.ts';

const deployment = resolveDeployment(realAssembly());
const guard = keyGuardOf(deployment);
const arnOf = ({ attributes }: { readonly attributes: Readonly<Record<string, string>> }): string =>
  attributes['Arn'] ?? '';
const dataKey = only(
  deployment.keys.filter(({ logicalId }) => logicalId.startsWith('DataKey')),
  'data keys',
);
const queues = deployment.queues.map(arnOf);
const user = { principal: 'arn:aws:sts::000000000000:assumed-role/some/session', policy: [] };
const EVENTS = 'events.amazonaws.com';

/** The deployment with other statements in the policy of the data key. */
const withPolicy = (change: (statement: ResourceStatement) => readonly ResourceStatement[]): Deployment => ({
  ...deployment,
  keys: deployment.keys.map((key) => {
    if (key !== dataKey) return key;
    const { KeyPolicy } = key.properties;
    const Statement = KeyPolicy.Statement.flatMap(change);
    return { ...key, properties: { ...key.properties, KeyPolicy: { ...KeyPolicy, Statement } } };
  }),
});

const refusedUse = (action: string) => ({ action, resource: arnOf(dataKey) });

describe('the key of all data', () => {
  it.each([
    ['sqs:SendMessage', queues[0] ?? ''],
    ['sqs:ReceiveMessage', queues[0] ?? ''],
    [
      's3:PutObject',
      `${arnOf(
        only(
          deployment.buckets.filter(({ name }) => name.includes('-uploads-')),
          'uploads',
        ),
      )}/a/b`,
    ],
    [
      'dynamodb:GetItem',
      arnOf(
        only(
          deployment.tables.filter(({ name }) => name === 'tidemark-local'),
          'tables',
        ),
      ),
    ],
  ])('serves every principal of the account that calls %s, through the service', (action, resource) => {
    expect(guard.usesOf({ action, resource }).length).toBeGreaterThan(0);
    expect(guard.refusedTo(user, { action, resource })).toBeUndefined();
    const keyless = keyGuardOf(
      withPolicy(({ Sid, ...rest }) => (Sid === 'ThroughStorageServices' ? [] : [{ Sid, ...rest }])),
    );
    expect(keyless.refusedTo(user, { action, resource })).toMatchObject({ resource: arnOf(dataKey) });
  });

  it('serves nobody who calls KMS directly without a grant of the account', () => {
    const call = { action: 'kms:Decrypt', resource: arnOf(dataKey) };
    expect(guard.refusedTo(user, call)).toMatchObject(call);
    const admin = {
      ...user,
      policy: [{ effect: 'Allow', actions: ['*'], resources: ['*'], conditions: {} }],
    } as const;
    expect(guard.refusedTo(admin, call)).toBeUndefined();
  });

  it('takes the events of EventBridge into each queue of the stage, and into nothing else', () => {
    for (const resource of queues)
      expect(guard.refusedToService(EVENTS, { action: 'sqs:SendMessage', resource })).toBeUndefined();
    const other = {
      ...deployment,
      queues: deployment.queues.map((queue) => ({
        ...queue,
        attributes: { ...queue.attributes, Arn: 'arn:aws:sqs:us-east-1:000000000000:another' },
      })),
    };
    expect(
      keyGuardOf(other).refusedToService(EVENTS, {
        action: 'sqs:SendMessage',
        resource: 'arn:aws:sqs:us-east-1:000000000000:another',
      }),
    ).toMatchObject(refusedUse('kms:GenerateDataKey'));
  });

  it('is not needed to publish an alarm', () => {
    expect(deployment.topics.length).toBeGreaterThan(0);
    for (const { ref } of deployment.topics)
      expect(guard.usesOf({ action: 'sns:Publish', resource: ref })).toEqual([]);
  });

  it('the service does not start with a condition for EventBridge that AWS does not document', () => {
    const Condition = { StringEquals: { 'aws:SourceAccount': ['000000000000'] } };
    const undocumented = withPolicy((one) => [one.Sid === 'EventsIntoQueues' ? { ...one, Condition } : one]);
    const problems = problemsOfStart(undocumented);
    const names = deployment.rules.map(({ name }) => name).filter((name) => !name.endsWith('-keys'));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const own = problems.filter((problem) => problem.startsWith(`${name}: the policy of the key`));
      expect(own).toHaveLength(2);
      expect(own[0]).toContain(`does not let ${EVENTS} send to arn:aws:sqs:`);
    }
  });

  it('a Deny of the key wins over every grant', () => {
    const denying = keyGuardOf(
      withPolicy((one) => [
        one,
        { ...one, Effect: 'Deny', Principal: '*', Action: ['kms:Decrypt'], Condition: {} },
      ]),
    );
    const call = { action: 'sqs:ReceiveMessage', resource: queues[0] ?? '' };
    expect(denying.refusedTo(user, call)).toMatchObject(refusedUse('kms:Decrypt'));
  });

  it('a Deny in the policies of the caller wins over the key', () => {
    const policy = [{ effect: 'Deny', actions: ['kms:*'], resources: ['*'], conditions: {} }] as const;
    const call = { action: 'sqs:ReceiveMessage', resource: queues[0] ?? '' };
    expect(
      guard.refusedTo({ principal: 'arn:aws:iam::000000000000:user/denied', policy }, call),
    ).toMatchObject(refusedUse('kms:Decrypt'));
  });

  it('every role of the service may use the keys that its calls need', () => {
    const callers = callersOf(deployment);
    const calls = callers.flatMap((caller) =>
      caller.policy.flatMap(({ effect, actions, resources }) =>
        effect === 'Allow'
          ? actions.flatMap((action) =>
              resources.map((resource) => ({ caller, needed: { action, resource } })),
            )
          : [],
      ),
    );
    const used = calls.filter(({ needed }) => guard.usesOf(needed).length > 0);
    expect(used.length).toBeGreaterThan(100);
    const refused = used.filter(({ caller, needed }) =>
      needed.action.startsWith('kms:') ? false : guard.refusedTo(caller, needed) !== undefined,
    );
    expect(refused.map(({ caller, needed }) => [caller.name, needed])).toEqual([]);
  });
});
