/** Encryption keys: the key of all data at rest, and the key that wraps property keys. */
import { Aws, Duration } from 'aws-cdk-lib/core';
import { AnyPrincipal, Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Stage } from '../config/stages.ts';
import { dataRemoval, kept } from './retention.ts';

const storageServices = ['dynamodb', 's3', 'sqs'];
const storageActions = [
  'kms:Encrypt',
  'kms:Decrypt',
  'kms:ReEncrypt*',
  'kms:GenerateDataKey*',
  'kms:DescribeKey',
];

/**
 * Principals of this account that may use the table, a bucket or a queue may use its key too, but only through that
 * service.
 */
const throughStorage = (): PolicyStatement =>
  new PolicyStatement({
    sid: 'ThroughStorageServices',
    effect: Effect.ALLOW,
    principals: [new AnyPrincipal()],
    actions: storageActions,
    resources: ['*'],
    conditions: {
      StringEquals: {
        'kms:CallerAccount': Aws.ACCOUNT_ID,
        'kms:ViaService': storageServices.map((name) => `${name}.${Aws.REGION}.amazonaws.com`),
      },
    },
  });

/** EventBridge sends into encrypted queues with its own principal, and CloudWatch into an encrypted topic. */
const forSenders = (): PolicyStatement =>
  new PolicyStatement({
    sid: 'SendersIntoQueuesAndTopics',
    effect: Effect.ALLOW,
    principals: ['events', 'cloudwatch'].map((name) => new ServicePrincipal(`${name}.amazonaws.com`)),
    actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
    resources: ['*'],
    conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
  });

/** The key of all data at rest. */
export const dataKey = (scope: Construct, stage: Stage): Key => {
  const key = new Key(scope, 'DataKey', {
    description: 'Encrypts the table, buckets, queues and the alarm topic',
    enableKeyRotation: true,
    removalPolicy: dataRemoval(stage),
  });
  key.addToResourcePolicy(throughStorage());
  key.addToResourcePolicy(forSenders());
  return key;
};

/**
 * The key that wraps the keys of properties. It survives the stacks in every stage, because a restored table's profile
 * UUIDs cannot be decrypted without it.
 */
export const propertyKey = (scope: Construct): Key =>
  new Key(scope, 'PropertyKey', {
    description: 'Wraps the keys of properties, the secrets of webhooks and the SSH keys of exports',
    enableKeyRotation: true,
    pendingWindow: Duration.days(30),
    removalPolicy: kept,
  });
