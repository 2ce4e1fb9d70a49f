import { describe, expect, it } from 'vitest';
import type { FunctionEntry, ResourceName } from '../../functions/entry.ts';
import { grantsOf } from '../../functions/grants.ts';
import {
  attribute,
  functionOf,
  functions,
  grantsIn,
  named,
  only,
  statementsOf,
  synthesized,
} from './stacks.ts';

const stacks = synthesized('dev');
const { deployment } = stacks;

/** `action on resource`: one for each pair that a role allows or a manifest entry declares. */
type Grant = string;

const queueArn = (name: string): string => attribute(named(deployment.queues, `tidemark-dev-${name}`), 'Arn');
const bucketArn = (name: string): string =>
  attribute(named(deployment.buckets, `tidemark-dev-${name}-000000000000-us-east-1`), 'Arn');
/** The ARN of a resource that has no name, by its type and how its logical id begins. */
const arnOf = (type: string, id: string): string =>
  attribute(
    only(stacks.ofType(type), id, ({ logicalId }) => logicalId.startsWith(id)),
    'Arn',
  );
const machineArn = (name: string): string => named(deployment.machines, `tidemark-dev-${name}`).ref;

/** The consumer of each queue. */
const consumers = functions.flatMap(([name, { trigger }]) =>
  trigger.kind === 'queue' ? [{ name, queue: trigger.queue }] : [],
);
const [deadLetters = '', ...otherDeadLetters] = deployment.queues
  .filter(({ name }) => name.includes('-dead-letters'))
  .map((queue) => attribute(queue, 'Arn'));
const [workQueue = '', ...otherWorkQueues] = deployment.queues
  .filter(({ name }) => !name.includes('-dead-letters'))
  .map((queue) => attribute(queue, 'Arn'));
const [consumerLogs = '', ...otherConsumerLogs] = consumers.map(
  ({ name }) => `arn:aws:logs:us-east-1:000000000000:log-group:/aws/lambda/tidemark-dev-${name}:*`,
);

const arns: Readonly<Record<ResourceName, string>> = {
  table: attribute(named(deployment.tables, 'tidemark-dev'), 'Arn'),
  credentials: attribute(named(deployment.tables, 'tidemark-dev-credentials'), 'Arn'),
  rates: attribute(named(deployment.tables, 'tidemark-dev-rates'), 'Arn'),
  auditLog: attribute(named(deployment.tables, 'tidemark-dev-audit-log'), 'Arn'),
  uploads: bucketArn('uploads'),
  work: bucketArn('work'),
  exports: bucketArn('exports'),
  importBatches: queueArn('importBatches'),
  drains: queueArn('drains.fifo'),
  fileEvents: queueArn('fileEvents'),
  enrichments: queueArn('enrichments'),
  exportRuns: queueArn('exportRuns'),
  exportSchedules: 'arn:aws:scheduler:us-east-1:000000000000:schedule/tidemark-dev-exports/*',
  exportSchedulesRole: arnOf('AWS::IAM::Role', 'SchedulesRole'),
  propertyKey: arnOf('AWS::KMS::Key', 'PropertyKey'),
  importFile: machineArn('importFile'),
  undoJob: machineArn('undoJob'),
  runExport: machineArn('runExport'),
  deliverExport: machineArn('deliverExport'),
  sender: 'arn:aws:ses:us-east-1:000000000000:identity/*',
  destinationRoles: 'arn:aws:iam::*:role/tidemark-destination-*',
  deadLetters,
  workQueues: workQueue,
  consumerLogs,
};

/** Resources on which the same actions need a grant too. */
const alsoArns: Readonly<Partial<Record<ResourceName, readonly string[]>>> = {
  sender: ['arn:aws:ses:us-east-1:000000000000:configuration-set/*'],
  deadLetters: otherDeadLetters,
  workQueues: otherWorkQueues,
  consumerLogs: otherConsumerLogs,
};

const bucketActions = ['s3:ListBucket', 's3:ListBucketMultipartUploads'];

const declaredGrants = (entry: FunctionEntry): readonly Grant[] =>
  grantsOf(entry).flatMap(({ to, actions }) =>
    actions.flatMap((action) => {
      const ofObjects = action.startsWith('s3:') && !bucketActions.includes(action);
      const grants = [arns[to], ...(alsoArns[to] ?? [])].map((arn) => `${action} on ${arn}`);
      return ofObjects ? grants.map((grant) => `${grant}/*`) : grants;
    }),
  );

const roleOf = (arn: string) => only(deployment.roles, 'its roles', (role) => attribute(role, 'Arn') === arn);

describe('roles of functions', () => {
  it.each(functions)('the role of %s allows exactly the access that its entry declares', (name, entry) => {
    const { properties } = functionOf(stacks, name);
    const logs = attribute(named(deployment.logGroups, properties.LoggingConfig?.LogGroup ?? ''), 'Arn');
    const own = ['logs:CreateLogStream', 'logs:PutLogEvents'].map((action) => `${action} on ${logs}`);
    const expected = new Set([...declaredGrants(entry), ...own]);
    expect([...new Set(grantsIn(roleOf(properties.Role)))].toSorted()).toEqual([...expected].toSorted());
  });

  it.each([
    ['dev', 'none'],
    ['local', 'exports@tidemark.example'],
  ])('in %s a function may send mails from %s and from no other address', (stage, sender) => {
    const { roles } = synthesized(stage).deployment;
    const sending = statementsOf(...roles).filter(({ Action }) =>
      Action.some((action) => action.startsWith('ses:')),
    );
    // Of exports, and of imports.
    expect(sending).toHaveLength(2);
    for (const { Condition } of sending)
      expect(Condition).toEqual({ StringEquals: { 'ses:FromAddress': [sender] } });
  });

  it.each(functions)('only %s may assume its role', (name) => {
    const { properties } = functionOf(stacks, name);
    const wearers = deployment.functions.filter((one) => one.properties.Role === properties.Role);
    expect(wearers).toHaveLength(1);
    const [trust] = roleOf(properties.Role).properties.AssumeRolePolicyDocument.Statement;
    expect(trust?.Principal).toEqual({ Service: ['lambda.amazonaws.com'] });
  });

  it('no function may replace, change or delete an entry of the audit log', () => {
    const actions = functions.flatMap(([, entry]) =>
      grantsOf(entry).flatMap((one) => (one.to === 'auditLog' ? one.actions : [])),
    );
    expect([...new Set(actions)].toSorted()).toEqual(['dynamodb:PartiQLInsert', 'dynamodb:Query']);
  });

  it('no policy is attached to a role from outside', () => {
    expect(deployment.policies).toEqual([]);
  });

  it('roles allow wildcards only for objects of a bucket, a log group, schedules of a group, mails of one sender, roles that clients made for it, and log deliveries, which AWS cannot name', () => {
    const effects = statementsOf(...deployment.roles).map(({ Effect }) => Effect);
    expect(new Set(effects)).toEqual(new Set(['Allow']));
    const wild = grantsIn(...deployment.roles)
      .filter((grant) => grant.includes('*'))
      .filter((grant) => !/^s3:\S+ on arn:aws:s3:::tidemark-dev-[a-z]+-\d+-us-east-1\/\*$/.test(grant))
      .filter((grant) => !/^scheduler:\w+ on \S+:schedule\/tidemark-dev-exports\/\*$/.test(grant))
      .filter(
        (grant) =>
          !/^s3:(Put|Get|Delete)Object on arn:aws:s3:::tidemark-dev-uploads-\d+-us-east-1\/sftp\/\*$/.test(
            grant,
          ),
      )
      .filter((grant) => grant !== 'sts:AssumeRole on arn:aws:iam::*:role/tidemark-destination-*')
      .filter((grant) => !/^ses:SendEmail on \S+:(identity|configuration-set)\/\*$/.test(grant))
      .filter((grant) => !/^s3:AbortMultipartUpload on \S+\/sftp\/\*$/.test(grant))
      .filter((grant) => !/^logs:\S+ on \S+:log-group:\/aws\/lambda\/tidemark-dev-\w+:\*$/.test(grant))
      .filter((grant) => !/^logs:\w+(LogDelivery|LogDeliveries|Polic(y|ies)|LogGroups) on \*$/.test(grant));
    expect(wild).toEqual([]);
  });
});
