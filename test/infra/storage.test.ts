import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { objectKeys } from '../../shared/exports/model/work-keys.ts';
import { resolveStage } from '../../lib/config/stages.ts';
import { limits } from '../../shared/config/limits.ts';
import { named, only, synthesized, writtenIn } from './stacks.ts';

const dev = synthesized('dev');
const prod = synthesized('prod');

const Lifecycle = v.object({
  LifecycleConfiguration: v.object({
    Rules: v.array(
      v.object({
        ExpirationInDays: v.optional(v.number()),
        ObjectSizeGreaterThan: v.optional(v.string()),
        AbortIncompleteMultipartUpload: v.optional(v.object({ DaysAfterInitiation: v.number() })),
      }),
    ),
  }),
});
const Encryption = v.object({
  BucketEncryption: v.object({
    ServerSideEncryptionConfiguration: v.array(
      v.looseObject({
        BucketKeyEnabled: v.optional(v.boolean()),
        ServerSideEncryptionByDefault: v.looseObject({ SSEAlgorithm: v.string() }),
      }),
    ),
  }),
});

const bucket = (name: string) =>
  only(dev.ofType('AWS::S3::Bucket'), name, (one) => one.name.startsWith(`tidemark-dev-${name}-`));

describe('buckets', () => {
  it.each([
    ['uploads', limits.imports.retentionDays],
    ['work', limits.imports.retentionDays],
    ['exports', limits.exports.retentionDays],
  ])('the bucket %s is encrypted with our key and expires its objects after %d days', (name, days) => {
    const { properties } = bucket(name);
    const [encryption] = v.parse(Encryption, properties).BucketEncryption.ServerSideEncryptionConfiguration;
    expect(encryption).toMatchObject({
      BucketKeyEnabled: true,
      ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms' },
    });
    const end = { ExpirationInDays: days };
    const abort = {
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: limits.storage.abortUploadsAfterDays },
    };
    // The directories of SFTP are empty objects and stay.
    const rules =
      name === 'uploads' ? [{ ...end, ObjectSizeGreaterThan: '0' }, abort] : [{ ...end, ...abort }];
    // Exports have a second rule, for objects that are kept longer.
    const found = v.parse(Lifecycle, properties).LifecycleConfiguration.Rules;
    expect(found.slice(0, rules.length)).toEqual(rules);
  });

  it('a separate rule keeps the members of delta exports longer, in a folder that no other rule covers', () => {
    const Rules = v.object({
      LifecycleConfiguration: v.object({
        Rules: v.array(v.object({ Prefix: v.string(), ExpirationInDays: v.number() })),
      }),
    });
    expect(v.parse(Rules, bucket('exports').properties).LifecycleConfiguration.Rules).toEqual([
      { Prefix: 'p', ExpirationInDays: limits.exports.retentionDays },
      { Prefix: 'bases/', ExpirationInDays: limits.exports.baseDays },
    ]);
    const ref = { property: 7, export: 8, job: 9 };
    expect(objectKeys.members(ref, 'a', 'delta')).toMatch(/^bases\//);
    for (const key of [objectKeys.members(ref, 'a', 'full'), objectKeys.file(ref, 'a')])
      expect(key).toMatch(/^p/);
  });

  it('buckets are private, refuse plain connections, and log every access', () => {
    for (const { properties, name, ref } of dev.ofType('AWS::S3::Bucket')) {
      expect(properties['PublicAccessBlockConfiguration'], name).toEqual({
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      });
      const denied = dev.deployment.bucketPolicies
        .filter((policy) => policy.properties.Bucket === ref)
        .flatMap((policy) => policy.properties.PolicyDocument.Statement)
        .filter(({ Effect }) => Effect === 'Deny');
      expect(
        denied.map(({ Condition }) => Condition),
        name,
      ).toEqual([{ Bool: { 'aws:SecureTransport': ['false'] } }]);
      const isLog = name.includes('access-logs');
      expect(properties['LoggingConfiguration'] === undefined, name).toBe(isLog);
    }
  });

  it('only the bucket of uploads takes files from web pages, and lets them read nothing but the ETag', () => {
    const open = dev
      .ofType('AWS::S3::Bucket')
      .filter(({ properties }) => properties['CorsConfiguration'] !== undefined);
    expect(open).toEqual([bucket('uploads')]);
    expect(open[0]?.properties['CorsConfiguration']).toEqual({
      CorsRules: [
        {
          AllowedOrigins: ['*'],
          AllowedMethods: ['PUT'],
          AllowedHeaders: ['*'],
          ExposedHeaders: ['ETag'],
          MaxAge: 3_600,
        },
      ],
    });
  });

  it('only the bucket of uploads sends events about new objects to EventBridge', () => {
    const telling = dev
      .ofType('AWS::S3::Bucket')
      .filter(({ properties }) => properties['NotificationConfiguration'] !== undefined);
    expect(telling).toEqual([bucket('uploads')]);
  });
});

describe.each(['', '-credentials', '-rates', '-audit-log'])('the table tidemark-…%s', (ending) => {
  const tableOf = (stage: typeof dev, name: string) =>
    named(stage.ofType('AWS::DynamoDB::Table'), `tidemark-${name}${ending}`);

  it('a table is billed on demand, encrypted with our key, and expires items', () => {
    const { properties } = tableOf(dev, 'dev');
    expect(properties).toMatchObject({
      TableName: `tidemark-dev${ending}`,
      BillingMode: 'PAY_PER_REQUEST',
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
    });
  });

  it('a table can be restored to a point in time if it holds what nothing else can bring back', () => {
    expect(tableOf(dev, 'dev').properties).toMatchObject({
      PointInTimeRecoverySpecification: {
        PointInTimeRecoveryEnabled: ['', '-credentials'].includes(ending),
      },
      TableClass: ending === '-audit-log' ? 'STANDARD_INFREQUENT_ACCESS' : 'STANDARD',
    });
  });

  it('a table is protected from deletion only in stages that keep data', () => {
    expect(tableOf(prod, 'prod').properties['DeletionProtectionEnabled']).toBe(true);
    expect(tableOf(dev, 'dev').properties['DeletionProtectionEnabled']).toBe(false);
  });
});

describe('the write units that a new table serves at once', () => {
  const warmOf = (name: string, settings: Readonly<Record<string, unknown>>): unknown =>
    named(synthesized('prod', { settings }).ofType('AWS::DynamoDB::Table'), name).properties[
      'WarmThroughput'
    ];

  it('are enough for an entry of the audit log for each request that the gateway admits', () => {
    const { gatewayRequestsPerSecond } = resolveStage('prod', {});
    expect(gatewayRequestsPerSecond).toBeLessThanOrEqual(limits.table.newTableWriteUnits);
    expect(warmOf('tidemark-prod-audit-log', {})).toBeUndefined();
    expect(warmOf('tidemark-prod-audit-log', { gatewayRequestsPerSecond: 10_000 })).toEqual({
      ReadUnitsPerSecond: 12_000,
      WriteUnitsPerSecond: 10_000,
    });
  });

  it('are enough for the entries of an account without a rate of its own: four partitions of 1,000 units', () => {
    expect(limits.rates.mostOfStage).toBe(4 * limits.rates.entriesPerPartition);
    expect(resolveStage('prod', { gatewayRequestsPerSecond: 90_000 }).accountRequestsPerSecond).toBe(4_000);
    expect(() => resolveStage('prod', { accountRequestsPerSecond: 4_001 })).toThrow('must be at most 4000');
  });
});

describe('resources that outlive the stacks', () => {
  const resourcesOf = (stage: typeof dev) => writtenIn(stage).map(([, resource]) => resource);
  const outliving = (stage: typeof dev): readonly string[] =>
    resourcesOf(stage)
      .filter(({ DeletionPolicy }) => DeletionPolicy?.startsWith('Retain') === true)
      .map(({ Type }) => Type)
      .toSorted();

  it('dev retains only the key of properties', () => {
    expect(outliving(dev)).toEqual(['AWS::KMS::Key']);
  });

  it('prod retains every resource that holds data, and the SFTP server with its host key', () => {
    expect(outliving(prod)).toEqual([
      ...['AWS::DynamoDB::Table', 'AWS::DynamoDB::Table', 'AWS::DynamoDB::Table', 'AWS::DynamoDB::Table'],
      ...['AWS::KMS::Key', 'AWS::KMS::Key'],
      ...['AWS::S3::Bucket', 'AWS::S3::Bucket', 'AWS::S3::Bucket', 'AWS::S3::Bucket'],
      'AWS::Transfer::Server',
    ]);
  });

  it('a first deployment that fails leaves nothing behind that blocks the next deployment', () => {
    for (const stage of [dev, prod])
      expect(resourcesOf(stage).filter(({ DeletionPolicy }) => DeletionPolicy === 'Retain')).toEqual([]);
  });

  it('everything that AWS bills has the tag of its stage', () => {
    const untagged = resourcesOf(prod).filter(
      ({ Properties }) => !JSON.stringify(Properties).includes('tidemark:stage'),
    );
    // The kinds that have no tags in CloudFormation; nobody pays for them.
    expect([...new Set(untagged.map(({ Type }) => Type))].toSorted()).toEqual([
      ...['AWS::ApiGatewayV2::Integration', 'AWS::ApiGatewayV2::Route', 'AWS::Lambda::Alias'],
      ...['AWS::Lambda::Permission', 'AWS::Lambda::Version'],
      ...['AWS::Logs::MetricFilter', 'AWS::Logs::SubscriptionFilter', 'AWS::S3::BucketPolicy'],
      ...['AWS::SNS::TopicPolicy', 'AWS::SQS::QueuePolicy', 'AWS::Scheduler::Schedule'],
    ]);
  });

  it('keys may get a replica in another region, which nobody can decide later', () => {
    const replicable = prod.ofType('AWS::KMS::Key').map(({ properties }) => properties['MultiRegion']);
    expect(replicable).toEqual([true, true]);
  });

  it('key rotation keeps old key material, so that older data stays readable', () => {
    const rotating = dev.ofType('AWS::KMS::Key').map(({ properties }) => properties['EnableKeyRotation']);
    expect(rotating).toEqual([true, true]);
  });
});
