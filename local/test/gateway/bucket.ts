import { S3Client } from '@aws-sdk/client-s3';
import type { Gateway } from '../../gateway/gateway.ts';
import { createS3, type S3, type S3Options } from '../../services/s3/s3.ts';
import { clientOf, startGateway } from './cloud.ts';

/** The bucket that every start has. */
export const Bucket = 'files';

/** A client of S3 that speaks to the gateway as `name`. */
export const bucketClient = (gateway: Gateway, name?: string): S3Client =>
  new S3Client({ ...clientOf(gateway, name), forcePathStyle: true });

/** Opens S3 with the bucket. */
export const openS3 = (options: S3Options = {}): S3 => {
  const s3 = createS3(options);
  s3.createBucket(Bucket);
  return s3;
};

/** Starts S3 behind a gateway, with a client. */
export const startS3 = async (options: S3Options = {}) => {
  const s3 = openS3(options);
  const gateway = await startGateway([s3.service]);
  const client = bucketClient(gateway);
  const stop = async (): Promise<void> => {
    client.destroy();
    await gateway.close();
    s3.close();
  };
  return { s3, gateway, client, stop };
};
