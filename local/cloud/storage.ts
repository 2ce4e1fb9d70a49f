/** Storage: opens the table, S3, SQS, KMS and SES, and creates the resources of the template in them. */
import { join } from 'node:path';
import { ACCOUNT } from '../core/arn.ts';
import { withDataFolder } from './data-folder.ts';
import type { Deployment, DeployedOf } from '../assembly/deployment.ts';
import { createDynamoDb, type DynamoDb, type TableDefinition } from '../services/dynamodb/dynamodb.ts';
import type { PartsInput } from './options.ts';
import type { KeyCall } from '../services/events/key-call.ts';
import { createKms } from '../services/kms/kms.ts';
import type { CorsRule } from '../services/s3/cors.ts';
import { createS3, type S3 } from '../services/s3/s3.ts';
import type { ObjectCreated } from '../services/s3/store.ts';
import { createSes } from '../services/ses/ses.ts';
import { createSqs, type Sqs } from '../services/sqs/sqs.ts';
import { createSts } from '../services/sts/sts.ts';

/** Options of the storage. Each service keeps its data in a folder of its own. */
export interface StorageOptions extends PartsInput {
  /** Gets each call that switched a key off or on. */
  readonly onKeyCall: (call: KeyCall) => void;
  readonly onObjectCreated: (bucket: DeployedOf<'buckets'>, object: ObjectCreated) => void;
}

/** Opens the data services, creates the resources of the template in them, and puts them behind the gateway. */
export const openStorage = async (options: StorageOptions) => {
  const { deployment, gateway } = options;
  const table = await openTable(options);
  for (const one of deployment.tables) await table.createTable(tableDefinition(one, options));
  const s3 = openS3(options);
  const sqs = openSqs(options);
  const kms = createKms({ onKeyCall: options.onKeyCall, dataDir: folder(options, 'kms') });
  for (const key of deployment.keys) kms.createKey(key.name, aliasesOf(deployment, key));
  const ses = createSes({ configurationSet: 'default' });
  const sts = createSts({ now: Date.now, admit: (session) => gateway.registerCaller(session) });
  for (const { service } of [table, s3, sqs, kms, ses, sts]) gateway.addService(service);
  const close = async (): Promise<void> => {
    s3.close();
    sqs.close();
    await table.close();
  };
  return {
    ...{ table, s3, sqs, ses, close },
    /** Holds the roles of other accounts. */
    sts,
  };
};

/** The services that keep data. */
export type Storage = Awaited<ReturnType<typeof openStorage>>;

const openTable = async (options: StorageOptions): Promise<DynamoDb> => {
  const { dataDir } = options;
  return dataDir === undefined ? createTable(options) : withDataFolder(dataDir, () => createTable(options));
};

const createTable = async (options: StorageOptions): Promise<DynamoDb> => {
  const { application, strictness, now } = options;
  const throughput = strictness.tableUnits && { units: strictness.tableUnits, now };
  const embedded = await createDynamoDb({
    kindOf: application.kindOf,
    now,
    dataDir: folder(options, 'dynamodb'),
    throughput,
  });
  return options.tableEngine?.(embedded) ?? embedded;
};

const folder = ({ dataDir }: StorageOptions, name: string): string | undefined =>
  dataDir && join(dataDir, name);

const tableDefinition = (
  { name, properties }: DeployedOf<'tables'>,
  { backups = false }: StorageOptions,
): TableDefinition => {
  const keyOf = (kind: 'HASH' | 'RANGE'): { name: string; type: 'S' | 'N' | 'B' } | undefined => {
    const attribute = properties.KeySchema.find(({ KeyType }) => KeyType === kind)?.AttributeName;
    const type = properties.AttributeDefinitions.find(({ AttributeName }) => AttributeName === attribute);
    return attribute === undefined || !type ? undefined : { name: attribute, type: type.AttributeType };
  };
  const [partitionKey, sortKey] = [keyOf('HASH'), keyOf('RANGE')];
  if (!partitionKey) throw new Error(`${name}: the table has no partition key`);
  const { TimeToLiveSpecification: expiry, PointInTimeRecoverySpecification: recovery } = properties;
  return {
    name,
    partitionKey,
    sortKey,
    timeToLive: expiry?.Enabled === true ? expiry.AttributeName : undefined,
    deletionProtection: properties.DeletionProtectionEnabled,
    keyArn: properties.SSESpecification?.KMSMasterKeyId,
    pointInTimeRecovery: backups && recovery?.PointInTimeRecoveryEnabled === true,
  };
};

const aliasesOf = (deployment: Deployment, key: DeployedOf<'keys'>): readonly string[] =>
  deployment.aliases.flatMap(({ name, properties }) =>
    [key.ref, key.attributes['Arn']].includes(properties.TargetKeyId) ? [name] : [],
  );

const openS3 = (options: StorageOptions): S3 => {
  const { buckets } = options.deployment;
  const byName = new Map(buckets.map((bucket) => [bucket.name, bucket]));
  const s3 = createS3({
    dataDir: folder(options, 's3'),
    onObjectCreated: (object) => {
      const bucket = byName.get(object.bucket);
      if (bucket) options.onObjectCreated(bucket, object);
    },
  });
  for (const bucket of buckets) s3.createBucket(bucket.name, { account: ACCOUNT, cors: corsRules(bucket) });
  return s3;
};

const corsRules = ({ properties }: DeployedOf<'buckets'>): readonly CorsRule[] =>
  properties.CorsConfiguration.CorsRules.map((rule) => ({
    origins: rule.AllowedOrigins,
    methods: rule.AllowedMethods,
    headers: rule.AllowedHeaders,
    exposed: rule.ExposedHeaders,
    maxAge: rule.MaxAge,
  }));

const openSqs = (options: StorageOptions): Sqs => {
  const { deployment, gateway, faults, now } = options;
  const sqs = createSqs({
    origin: gateway.url,
    now,
    dataDir: folder(options, 'sqs'),
    faults,
  });
  for (const { name, properties } of deployment.queues) {
    const { RedrivePolicy } = properties;
    sqs.createQueue({
      name,
      fifo: properties.FifoQueue,
      visibilityTimeout: properties.VisibilityTimeout,
      delay: properties.DelaySeconds,
      retention: properties.MessageRetentionPeriod,
      contentBasedDeduplication: properties.ContentBasedDeduplication,
      redrive: RedrivePolicy && {
        arn: RedrivePolicy.deadLetterTargetArn,
        maxReceiveCount: RedrivePolicy.maxReceiveCount,
      },
    });
  }
  return sqs;
};
