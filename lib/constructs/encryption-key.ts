/** Encryption keys: the key of all data at rest, and the key that wraps property keys. */
import { Aws, Duration, Tags } from 'aws-cdk-lib/core';
import { AnyPrincipal, Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Stage } from '../config/stages.ts';
import { dataRemoval, kept } from './retention.ts';
import { physicalName, type Reachable } from './service.ts';

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

const senderActions = ['kms:Decrypt', 'kms:GenerateDataKey'];

/**
 * EventBridge sends into the encrypted queues of this stage with its own principal. AWS does not document that its
 * requests carry `aws:SourceAccount` or `aws:SourceArn` to KMS, and without permission it drops events in silence. The
 * encryption context is certain: SQS always sends the ARN of the queue (SQS guide, "Encryption at rest").
 */
const eventsIntoQueues = (stage: Stage): PolicyStatement =>
  new PolicyStatement({
    sid: 'EventsIntoQueues',
    effect: Effect.ALLOW,
    principals: [new ServicePrincipal('events.amazonaws.com')],
    actions: senderActions,
    resources: ['*'],
    conditions: {
      StringLike: {
        'kms:EncryptionContext:aws:sqs:arn': `arn:${Aws.PARTITION}:sqs:${Aws.REGION}:${Aws.ACCOUNT_ID}:${physicalName(stage, '*')}`,
      },
    },
  });

/** With the tag of its stage, it is found when the stacks are gone: `use` is `data` or `properties`. */
const tagged = (key: Key, use: string): Key => {
  Tags.of(key).add('tidemark:use', use);
  return key;
};

/**
 * A key can get a replica in another region, for copies of the data there, only if it was made so. It costs nothing before
 * ("Multi-Region keys in AWS KMS", KMS Developer Guide).
 */
const replicable = { multiRegion: true } as const;

/** The key of all data at rest: the key of an earlier stack if the stage names it, otherwise a new key. */
export const dataKey = (scope: Construct, stage: Stage): IKey => {
  if (stage.dataKeyArn !== undefined) return Key.fromKeyArn(scope, 'DataKey', stage.dataKeyArn);
  const key = new Key(scope, 'DataKey', {
    ...replicable,
    description: 'Encrypts the tables, buckets and queues',
    enableKeyRotation: true,
    removalPolicy: dataRemoval(stage),
  });
  key.addToResourcePolicy(throughStorage());
  key.addToResourcePolicy(eventsIntoQueues(stage));
  return tagged(key, 'data');
};

/**
 * The key that wraps the keys of properties: the key of an earlier stack if the stage names it, otherwise a new key. It
 * survives the stacks in every stage, because nobody could read the profiles of a kept or restored table without it.
 */
export const propertyKey = (scope: Construct, stage: Stage): Reachable => {
  const { keyId, keyArn } =
    stage.propertyKeyArn === undefined
      ? newPropertyKey(scope)
      : Key.fromKeyArn(scope, 'PropertyKey', stage.propertyKeyArn);
  return { value: keyId, arn: keyArn, earlierArns: stage.earlierPropertyKeyArns ?? [] };
};

const newPropertyKey = (scope: Construct): Key => {
  const key = new Key(scope, 'PropertyKey', {
    ...replicable,
    description: 'Wraps the keys of properties, the secrets of webhooks and the SSH keys of exports',
    enableKeyRotation: true,
    pendingWindow: Duration.days(30),
    removalPolicy: kept,
  });
  return tagged(key, 'properties');
};
