/** Data resources: schemas of tables, keys, buckets and queues in the template. */
import * as v from 'valibot';
import { count, ignored } from './common.ts';
import { ResourcePolicy } from '../../core/policy-documents.ts';

const KeySchema = v.array(
  v.strictObject({ AttributeName: v.string(), KeyType: v.picklist(['HASH', 'RANGE']) }),
);

/** AWS::DynamoDB::Table. Indexes are refused until something needs one. */
export const Table = v.strictObject({
  TableName: v.optional(v.string()),
  AttributeDefinitions: v.array(
    v.strictObject({ AttributeName: v.string(), AttributeType: v.picklist(['S', 'N', 'B']) }),
  ),
  KeySchema,
  BillingMode: v.literal('PAY_PER_REQUEST'),
  TimeToLiveSpecification: v.optional(v.strictObject({ AttributeName: v.string(), Enabled: v.boolean() })),
  TableClass: v.optional(v.picklist(['STANDARD', 'STANDARD_INFREQUENT_ACCESS'])),
  PointInTimeRecoverySpecification: v.optional(v.looseObject({ PointInTimeRecoveryEnabled: v.boolean() })),
  SSESpecification: v.optional(
    v.strictObject({
      SSEEnabled: v.boolean(),
      SSEType: v.optional(v.string()),
      KMSMasterKeyId: v.optional(v.string()),
    }),
  ),
  DeletionProtectionEnabled: v.optional(v.boolean(), false),
  OnDemandThroughput: ignored,
  WarmThroughput: ignored,
  ContributorInsightsSpecification: ignored,
  Tags: ignored,
});

/** AWS::KMS::Key. */
export const Key = v.strictObject({
  Description: ignored,
  Enabled: v.optional(v.boolean(), true),
  EnableKeyRotation: ignored,
  MultiRegion: ignored,
  RotationPeriodInDays: ignored,
  KeyPolicy: ResourcePolicy,
  KeySpec: v.optional(v.literal('SYMMETRIC_DEFAULT')),
  KeyUsage: v.optional(v.literal('ENCRYPT_DECRYPT')),
  PendingWindowInDays: ignored,
  Tags: ignored,
});

/** AWS::KMS::Alias. */
export const Alias = v.strictObject({ AliasName: v.string(), TargetKeyId: v.string() });

const EventBridge = v.strictObject({
  EventBridgeConfiguration: v.optional(v.strictObject({ EventBridgeEnabled: v.optional(v.boolean(), true) })),
});

const BucketEncryption = v.looseObject({
  ServerSideEncryptionConfiguration: v.array(
    v.looseObject({
      BucketKeyEnabled: v.optional(v.boolean(), false),
      ServerSideEncryptionByDefault: v.optional(
        v.looseObject({ SSEAlgorithm: v.string(), KMSMasterKeyID: v.optional(v.string()) }),
      ),
    }),
  ),
});

const LifecycleRule = v.strictObject({
  Id: v.optional(v.string()),
  Status: v.literal('Enabled'),
  Prefix: v.optional(v.string(), ''),
  ObjectSizeGreaterThan: v.optional(count),
  ExpirationInDays: v.optional(count),
  AbortIncompleteMultipartUpload: v.optional(v.strictObject({ DaysAfterInitiation: count })),
});

const CorsRule = v.strictObject({
  Id: v.optional(v.string()),
  AllowedOrigins: v.array(v.string()),
  AllowedMethods: v.array(v.string()),
  AllowedHeaders: v.optional(v.array(v.string()), []),
  ExposedHeaders: v.optional(v.array(v.string()), []),
  MaxAge: v.optional(count),
});

/** AWS::S3::Bucket. `NotificationConfiguration` may only turn EventBridge on. */
export const Bucket = v.strictObject({
  BucketName: v.optional(v.string()),
  NotificationConfiguration: v.optional(EventBridge),
  VersioningConfiguration: v.optional(v.strictObject({ Status: v.picklist(['Enabled', 'Suspended']) })),
  BucketEncryption: v.optional(BucketEncryption),
  CorsConfiguration: v.optional(v.strictObject({ CorsRules: v.array(CorsRule) }), { CorsRules: [] }),
  LifecycleConfiguration: v.optional(v.strictObject({ Rules: v.array(LifecycleRule) }), { Rules: [] }),
  LoggingConfiguration: ignored,
  OwnershipControls: ignored,
  PublicAccessBlockConfiguration: ignored,
  Tags: ignored,
});

/** AWS::S3::BucketPolicy. */
export const BucketPolicy = v.strictObject({ Bucket: v.string(), PolicyDocument: ResourcePolicy });

/** AWS::SQS::Queue. Times in seconds, sizes in bytes. */
export const Queue = v.strictObject({
  QueueName: v.optional(v.string()),
  FifoQueue: v.optional(v.boolean(), false),
  ContentBasedDeduplication: v.optional(v.boolean()),
  DeduplicationScope: v.optional(v.picklist(['messageGroup', 'queue'])),
  FifoThroughputLimit: v.optional(v.picklist(['perQueue', 'perMessageGroupId'])),
  VisibilityTimeout: v.optional(count, 30),
  MessageRetentionPeriod: v.optional(count, 345_600),
  DelaySeconds: v.optional(count, 0),
  MaximumMessageSize: v.optional(count),
  ReceiveMessageWaitTimeSeconds: v.optional(count, 0),
  RedrivePolicy: v.optional(v.strictObject({ deadLetterTargetArn: v.string(), maxReceiveCount: count })),
  RedriveAllowPolicy: ignored,
  SqsManagedSseEnabled: ignored,
  KmsMasterKeyId: v.optional(v.string()),
  KmsDataKeyReusePeriodSeconds: ignored,
  Tags: ignored,
});

/** AWS::SQS::QueuePolicy. */
export const QueuePolicy = v.strictObject({ Queues: v.array(v.string()), PolicyDocument: ResourcePolicy });
