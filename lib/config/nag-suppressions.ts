/** Accepted findings of the AwsSolutions rules, with the reason of each. */
import { Aws, Validations } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';
import type { Grant } from '../../functions/grants.ts';
import { ROLE_NAME_PREFIX } from '../../shared/exports/model/s3-destination.ts';
import type { Stage } from './stages.ts';

/**
 * All accepted findings of the AwsSolutions rules, in one place, so that a reviewer can read them together. Each is
 * acknowledged on the smallest construct to which it applies.
 */
const reasons = {
  objects: 'A function works on the objects of all properties; their keys are made from ids it is given.',
  schedules: 'A function makes the schedules of all properties; their names are made from ids it is given.',
  logs: 'A log group has many streams, whose names Lambda makes.',
  mails:
    'SES also asks for the identities of recipients and for the configuration set; a condition bounds the sender.',
  destinations:
    'Clients make the roles, in their own accounts; the name has a fixed prefix, and the trust policy an external id.',
  sessions: 'The policy of each session bounds it to the directories of one account.',
  delivery: 'Log deliveries of Step Functions have no resource of their own to name.',
  authorizer:
    'Functions authenticate in one wrapper: a gateway authorizer cannot answer 401 with WWW-Authenticate, nor problem+json.',
  shift:
    'CodeDeploy moves the aliases of all functions of the stage, and CloudWatch has no smaller resource for the state of alarms.',
  pipeline:
    'The policies are those of people who deploy (docs/policies): the CDK makes the names of its roles, and stacks have ids.',
  callsKept: 'It is the dead-letter queue of a schedule, which the rule does not look for.',
  tracing:
    'Executions are named after their job and log every state; traces would show no more and cost per step.',
  unrecovered:
    'Counters of seconds and days are made anew. Entries of the audit log are only added, and ADR 18 has the figures.',
} as const;

const accept = (construct: IConstruct, id: string, reason: string): void =>
  Validations.of(construct).acknowledge({ id, reason });

/**
 * Name of a bucket, unique in the world through account and region. CloudFormation takes up the bucket of an earlier stack
 * only by a name that is plain text, so the name contains account and region as text if the synthesis knows them.
 */
export const bucketName = ({ name: stage, environment }: Stage, name: string): string =>
  `tidemark-${stage}-${name.toLowerCase()}-${environment?.account ?? Aws.ACCOUNT_ID}-${environment?.region ?? Aws.REGION}`;

/** The name of a bucket as cdk-nag writes it. */
const reportedBucketName = ({ name: stage, environment }: Stage, name: string): string =>
  `tidemark-${stage}-${name}-${environment?.account ?? '<AWS::AccountId>'}-${environment?.region ?? '<AWS::Region>'}`;

const buckets = ['uploads', 'work', 'exports'];

/** Roles may read or write all objects of the buckets in their functions' access. */
export const acknowledgeObjectGrants = (role: IConstruct, stage: Stage, grants: readonly Grant[]): void => {
  for (const { to } of grants.filter((one) => buckets.includes(one.to))) {
    const name = reportedBucketName(stage, to);
    accept(role, `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:s3:::${name}/*]`, reasons.objects);
  }
};

/** The function of operators may read all lines in the logs of the functions behind queues. */
export const acknowledgeLogReads = (
  role: IConstruct,
  grants: readonly Grant[],
  logs: readonly string[],
): void => {
  if (grants.every(({ to }) => to !== 'consumerLogs')) return;
  for (const log of logs) {
    const arn = `arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:${log}`;
    accept(role, `AwsSolutions-IAM5[Resource::${arn}]`, reasons.logs);
  }
};

/** Roles may make or remove all schedules of the group that their functions declare. */
export const acknowledgeScheduleGrants = (role: IConstruct, stage: Stage, grants: readonly Grant[]): void => {
  if (grants.every(({ to }) => to !== 'exportSchedules')) return;
  const arn = `arn:<AWS::Partition>:scheduler:<AWS::Region>:<AWS::AccountId>:schedule/tidemark-${stage.name}-exports/*`;
  accept(role, `AwsSolutions-IAM5[Resource::${arn}]`, reasons.schedules);
};

/** Roles may send mails past any identity and configuration set, but with one sender. */
export const acknowledgeMailGrants = (role: IConstruct, grants: readonly Grant[]): void => {
  if (grants.every(({ to }) => to !== 'sender')) return;
  const ses = 'arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>';
  for (const resource of ['identity/*', 'configuration-set/*'])
    accept(role, `AwsSolutions-IAM5[Resource::${ses}:${resource}]`, reasons.mails);
};

/** Roles may assume the roles of clients, whose accounts are not known beforehand. */
export const acknowledgeDestinationGrants = (role: IConstruct, grants: readonly Grant[]): void => {
  if (grants.every(({ to }) => to !== 'destinationRoles')) return;
  const arn = `arn:<AWS::Partition>:iam::*:role/${ROLE_NAME_PREFIX}*`;
  accept(role, `AwsSolutions-IAM5[Resource::${arn}]`, reasons.destinations);
};

/** The role of SFTP reaches the directories of all accounts; no session does. */
export const acknowledgeSftpGrants = (role: IConstruct, stage: Stage): void => {
  const name = reportedBucketName(stage, 'uploads');
  accept(role, `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:s3:::${name}/sftp/*]`, reasons.sessions);
};

/** The role of a workflow sets up the delivery of its log. */
export const acknowledgeLogDelivery = (role: IConstruct): void =>
  accept(role, 'AwsSolutions-IAM5[Resource::*]', reasons.delivery);

/** A pipeline has the policies of people who deploy and who operate. */
export const acknowledgeDeployGrants = (role: IConstruct, resources: readonly string[]): void => {
  for (const resource of resources.filter((one) => one.includes('*')))
    accept(role, `AwsSolutions-IAM5[Resource::${resource}]`, reasons.pipeline);
};

/** CodeDeploy moves the aliases of all functions of a stage, and reads the state of alarms. */
export const acknowledgeTrafficShift = (role: IConstruct, { name }: Stage): void => {
  const functions = `arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:tidemark-${name}-*`;
  for (const resource of [functions, '*'])
    accept(role, `AwsSolutions-IAM5[Resource::${resource}]`, reasons.shift);
};

export const acknowledgeWithoutTracing = (workflow: IConstruct): void =>
  accept(workflow, 'AwsSolutions-SF2', reasons.tracing);

export const acknowledgeOwnAuthentication = (route: IConstruct): void =>
  accept(route, 'AwsSolutions-APIG4', reasons.authorizer);

export const acknowledgeScheduleDeadLetters = (queue: IConstruct): void =>
  accept(queue, 'AwsSolutions-SQS3', reasons.callsKept);

/** The tables of rates and of the audit log cannot be restored to a point in time. */
export const acknowledgeNoRecovery = (table: IConstruct): void => {
  accept(table, 'AwsSolutions-DDB3', reasons.unrecovered);
};
