/**
 * S3 client of the SDK: loaded at the first call that needs it. Bundles hold it in a file of its own (`lib/constructs/bundle.ts`),
 * so that a cold start does not compile it.
 */
import type * as s3 from '@aws-sdk/client-s3';
import { s3Options } from './aws-client.ts';
import { lateClient, type LateClient } from './late-client.ts';

/** The module of the client. */
export type S3Sdk = typeof s3;

/** Loads the module. */
export const loadS3 = (): Promise<S3Sdk> => import('@aws-sdk/client-s3');

/** The module, and a client for the buckets of this service. */
export type LoadedS3 = LateClient<S3Sdk, s3.S3Client>;

/** The module, and the client of this process. */
export const ownS3 = lateClient(loadS3, ({ S3Client }) => new S3Client(s3Options()));
