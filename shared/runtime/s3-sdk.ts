/**
 * S3 client of the SDK: loaded at the first call that needs it. Bundles hold it in a file of its own (`lib/constructs/bundle.ts`),
 * so that a cold start does not compile it.
 */
import type * as s3 from '@aws-sdk/client-s3';
import { s3Options } from './aws-client.ts';

/** The module of the client. */
export type S3Sdk = typeof s3;

/** Loads the module. */
export const loadS3 = (): Promise<S3Sdk> => import('@aws-sdk/client-s3');

/** The module, and a client for the buckets of this service. */
export interface LoadedS3 {
  readonly sdk: S3Sdk;
  readonly client: s3.S3Client;
}

let client: s3.S3Client | undefined;

/** The module, and the client of this process. */
export const ownS3 = async (): Promise<LoadedS3> => {
  const sdk = await loadS3();
  client ??= new sdk.S3Client(s3Options());
  return { sdk, client };
};
