/**
 * S3 of the embedded cloud: buckets of files on disk, streamed in and out, so that an object of hundreds of MB costs
 * no memory. Path-style REST, as the SDK speaks it with `forcePathStyle`.
 *
 *     const s3 = await createS3({ dataDir, onObjectCreated: (event) => … });
 *     s3.createBucket('tidemark-uploads');
 *     gateway.addService(s3.service);
 *     await s3.put('tidemark-uploads', 'sftp/1/a.csv', stream);     // in-process, for the SFTP server
 *     …
 *     await s3.close();
 *
 * Supported: Put, Get (ranges, conditions), Head, Delete(s), Copy, ListObjectsV2, multipart uploads with UploadPart,
 * UploadPartCopy, ListParts, Complete and Abort; `If-None-Match: *` and `If-Match` on writes; Content-MD5 and the
 * x-amz-checksum-* headers and trailers of the SDK, `aws-chunked` included.
 * With `dataDir` objects survive a restart; without, a temporary directory is removed by `close`.
 */
import type { Readable } from 'node:stream';
import type { AwsService } from '../../types.ts';

/** An object that was just completed; `etag` without quotes. */
export interface ObjectCreated {
  readonly bucket: string;
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  readonly reason: 'PutObject' | 'CopyObject' | 'CompleteMultipartUpload';
}

/** How to open the service. */
export interface S3Options {
  readonly dataDir?: string;
  readonly onObjectCreated?: (event: ObjectCreated) => void;
}

/** The running service, with the few calls that parts in this process make without HTTP. */
export interface S3 {
  readonly service: AwsService;
  createBucket(name: string): void;
  put(bucket: string, key: string, body: Readable | Buffer): Promise<ObjectCreated>;
  get(bucket: string, key: string): Promise<Buffer | undefined>;
  list(bucket: string, prefix?: string): readonly string[];
  close(): Promise<void>;
}

/** Opens the service. */
export const createS3 = (options: S3Options): Promise<S3> =>
  Promise.reject(new Error(`s3 is not built yet: ${Object.keys(options).join()}`));
