/** Expiry: what DynamoDB, S3 and SQS delete by themselves once its time is over. */
import type { Deployment, DeployedOf } from '../assembly/deployment.ts';
import type { LifecycleRule } from '../services/s3/lifecycle.ts';
import type { Storage } from './storage.ts';

/** Deletes everything that has expired at a time (milliseconds since the epoch). */
export type Expire = (now: number) => Promise<void>;

/** Builds the expiry of the resources of the template. */
export const expiryOf =
  ({ buckets, queues }: Deployment, { table, s3, sqs }: Storage): Expire =>
  async (now) => {
    for (const bucket of buckets) s3.expire(bucket.name, rulesOf(bucket), now);
    for (const { name } of queues) sqs.queue(name).expire(now);
    await table.expire(now);
  };

/** Lets everything expire now and each hour. Returns a function that ends this. */
export const startExpiry = (
  expire: Expire,
  now: () => number,
  report: (problem: string) => void,
): (() => void) => {
  const pass = (): void =>
    void expire(now()).catch((error: unknown) => report(`the expiry failed: ${String(error)}`));
  pass();
  const hours = setInterval(pass, HOUR_MS).unref();
  return () => clearInterval(hours);
};

const HOUR_MS = 3_600_000;

const rulesOf = ({ properties }: DeployedOf<'buckets'>): readonly LifecycleRule[] =>
  properties.LifecycleConfiguration.Rules.map((rule) => ({
    prefix: rule.Prefix,
    // Without a filter, empty objects go, too.
    largerThan: rule.ObjectSizeGreaterThan ?? -1,
    days: rule.ExpirationInDays,
    uploadDays: rule.AbortIncompleteMultipartUpload?.DaysAfterInitiation,
  }));
