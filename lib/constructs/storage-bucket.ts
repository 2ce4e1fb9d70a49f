/** Storage bucket: a private, encrypted bucket with retention times and events. */
import { Aws, Duration, Stack } from 'aws-cdk-lib/core';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  CfnBucket,
  type CorsRule,
  HttpMethods,
  ObjectOwnership,
  type LifecycleRule,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { limits } from '../../shared/config/limits.ts';
import { bucketName } from '../config/nag-suppressions.ts';
import type { Stage } from '../config/stages.ts';
import { dataRemoval } from './retention.ts';
import type { Reachable } from './service.ts';

interface StorageBucketProps {
  readonly stage: Stage;
  readonly name: string;
  readonly key: IKey;
  /** Name of the bucket for S3's access logs. */
  readonly accessLogs: string;
  readonly retentionDays: number;
  /**
   * Different retention for objects below `kept.folder`. `retentionDays` then applies to objects below `files`, because
   * S3 follows the shorter of two rules for one object.
   */
  readonly retained?: {
    readonly files: string;
    readonly kept: { readonly folder: string; readonly days: number };
  };
  /** A shorter retention for the objects below a folder: S3 follows the shorter of two rules for one object. */
  readonly sooner?: { readonly folder: string; readonly days: number };
  /** Keeps empty objects, such as the directories of SFTP. */
  readonly keepEmpty?: boolean;
  /** Takes files from web pages of any origin: the signed address is the permission. */
  readonly fromPages?: boolean;
  /** Sends events of new objects to EventBridge. */
  readonly notify?: boolean;
}

const common = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  enforceSSL: true,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
};

/**
 * The bucket for S3's access logs; returns its name. S3 delivers these logs only into buckets that are encrypted with
 * keys of S3.
 */
export const accessLogBucket = (scope: Construct, stage: Stage): string => {
  const bucket = new Bucket(scope, 'AccessLogs', {
    ...common,
    bucketName: bucketName(stage, 'access-logs'),
    encryption: BucketEncryption.S3_MANAGED,
    lifecycleRules: [{ expiration: Duration.days(stage.nameLogRetention) }],
    removalPolicy: dataRemoval(stage),
  });
  bucket.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('logging.s3.amazonaws.com')],
      actions: ['s3:PutObject'],
      resources: [bucket.arnForObjects('*')],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  );
  return bucket.bucketName;
};

/**
 * Settings for which the CDK's own bucket would add a function, use ACLs that a modern bucket refuses, or print a
 * warning.
 */
const setDirectly = (bucket: Bucket, { accessLogs, name, notify, keepEmpty }: StorageBucketProps): void => {
  const resource = bucket.node.defaultChild;
  if (!CfnBucket.isCfnBucket(resource))
    throw new Error('The child of the bucket construct is no CloudFormation bucket');
  resource.loggingConfiguration = { destinationBucketName: accessLogs, logFilePrefix: `${name}/` };
  // CloudFormation expects text here, and the CDK writes a number.
  if (keepEmpty === true)
    resource.addPropertyOverride('LifecycleConfiguration.Rules.0.ObjectSizeGreaterThan', '0');
  if (notify === true)
    resource.notificationConfiguration = { eventBridgeConfiguration: { eventBridgeEnabled: true } };
};

const lifecycleOf = (props: StorageBucketProps): LifecycleRule[] => {
  const { retentionDays, retained, sooner, keepEmpty } = props;
  const expiration = Duration.days(retentionDays);
  const abortIncompleteMultipartUploadAfter = Duration.days(limits.storage.abortUploadsAfterDays);
  // A rule with a size filter cannot abort multipart uploads, so uploads have a rule of their own.
  if (keepEmpty === true) return [{ expiration }, { abortIncompleteMultipartUploadAfter }];
  if (!retained) {
    const earlier = sooner && { expiration: Duration.days(sooner.days), prefix: sooner.folder };
    return [{ expiration, abortIncompleteMultipartUploadAfter }, ...(earlier ? [earlier] : [])];
  }
  const { files, kept } = retained;
  return [
    { expiration, prefix: files, abortIncompleteMultipartUploadAfter },
    { expiration: Duration.days(kept.days), prefix: kept.folder, abortIncompleteMultipartUploadAfter },
  ];
};

/**
 * A page sends a file, or its parts, to a signed address, and reads the ETag of each part, which completes the upload. It
 * may read no object: a browser opens the location of an export as a page of its own.
 */
const filesFromPages: CorsRule = {
  allowedOrigins: ['*'],
  allowedMethods: [HttpMethods.PUT],
  allowedHeaders: ['*'],
  exposedHeaders: ['ETag'],
  maxAge: 3_600,
};

/** A private, encrypted bucket. Objects expire after their retention time, and unfinished uploads after two days. */
export const storageBucket = (scope: Construct, id: string, props: StorageBucketProps): Reachable => {
  const bucket = new Bucket(scope, id, {
    ...common,
    bucketName: bucketName(props.stage, props.name),
    encryption: BucketEncryption.KMS,
    encryptionKey: props.key,
    bucketKeyEnabled: true,
    lifecycleRules: lifecycleOf(props),
    ...(props.fromPages === true ? { cors: [filesFromPages] } : {}),
    removalPolicy: dataRemoval(props.stage),
  });
  setDirectly(bucket, props);
  // The name instead of a reference, because the reasons for object grants contain the same name.
  const arn = Stack.of(scope).formatArn({
    service: 's3',
    region: '',
    account: '',
    resource: bucketName(props.stage, props.name),
  });
  return { value: bucket.bucketName, arn };
};
