/**
 * S3 of the embedded cloud: buckets of files on disk. Bodies are streams, so an object of hundreds of MB needs no
 * memory.
 * Path-style REST, as the SDK sends it with `forcePathStyle`.
 *
 *     const s3 = createS3({ dataDir, onObjectCreated: (event) => … });
 *     s3.createBucket('uploads');
 *     gateway.addService(s3.service);
 *     await s3.put('uploads', 'sftp/1/a.csv', stream);     // in-process, for the SFTP server
 *     …
 *     s3.close();
 *
 * Supported: Put, Get (ranges, conditions), Head, Delete(s), Copy, ListObjectsV2, multipart uploads with UploadPart,
 * UploadPartCopy, ListParts, Complete and Abort; `If-None-Match: *` and `If-Match` on writes, `If-Match` on
 * DeleteObject; Content-MD5 and the x-amz-checksum-* headers and trailers of the SDK, `aws-chunked` included; the
 * CRC64NVME that S3 stores by default; preflights and headers of CORS, by the rules of the bucket.
 * ETags are random, as those of objects that a KMS key encrypts.
 * With `dataDir` objects survive a restart. Without it the service uses a temporary directory, which `close` removes.
 */
import { ACCOUNT } from '../../core/arn.ts';
import type { AwsRequest, AwsResponse, AwsService, Caller } from '../../core/types.ts';
import { oneCall } from '../../core/usage.ts';
import { pageHeaders, preflight } from './cors.ts';
import { directCalls } from './direct.ts';
import { checkHome } from './home.ts';
import { expireObjects, type LifecycleRule } from './lifecycle.ts';
import { listObjects } from './listing.ts';
import { abortUpload, completeUpload, copyPart, createUpload, listParts, uploadPart } from './multipart.ts';
import { copyObject, deleteObject, deleteObjects, headObject, putObject, readObject } from './objects.ts';
import { permissionsOf } from './permissions.ts';
import { bucketIn, parseRequest, type S3Request } from './requests.ts';
import { openStore, type BucketHome, type Store, type Commit, type ObjectCreated } from './store.ts';

/** Options of the service. */
export interface S3Options {
  readonly dataDir?: string | undefined;
  readonly onObjectCreated?: (event: ObjectCreated) => void;
}

/** Opens the service. */
export const createS3 = (options: S3Options = {}) => {
  const store = openStore(options.dataDir);
  const commit: Commit = (bucket, object, reason) => {
    store.put(bucket, object);
    const event = {
      bucket,
      key: object.key,
      size: object.size,
      etag: object.etag.replaceAll('"', ''),
      reason,
    };
    options.onObjectCreated?.(event);
    return event;
  };
  return {
    service: {
      name: 's3',
      permissions: (request) => permissionsOf(store, parseRequest(request)),
      handle: (request, caller) => handle(store, commit, request, caller),
      crossOrigin: {
        preflight: (request) => preflight(store.corsOf(bucketIn(request.path)), request),
        headersFor: (request) => pageHeaders(store.corsOf(bucketIn(request.path)), request),
      },
    } satisfies AwsService,
    /** Creates a bucket, of the account of the embedded cloud unless `home` names another account. */
    createBucket: (name: string, home: BucketHome = { account: ACCOUNT }) => store.create(name, home),
    /** Deletes the objects of a bucket that have expired by `now` (milliseconds since the epoch) under its rules. */
    expire: (bucket: string, rules: readonly LifecycleRule[], now: number) =>
      expireObjects(store, bucket, rules, now),
    ...directCalls(store, commit),
    close: () => store.close(),
  };
};

/** The running service, with the direct calls for parts in this process. */
export type S3 = ReturnType<typeof createS3>;

const handle = async (
  store: Store,
  commit: Commit,
  raw: AwsRequest,
  caller: Caller,
): Promise<AwsResponse> => {
  const request = parseRequest(raw);
  checkHome(store.homeOf(request.bucket), raw, caller);
  const response = await answer(store, commit, request, raw.headers);
  return { ...response, usage: [usageOf(store, request, raw, response)] };
};

const answer = (
  store: Store,
  commit: Commit,
  request: S3Request,
  headers: AwsRequest['headers'],
): AwsResponse | Promise<AwsResponse> => {
  switch (request.operation) {
    case 'PutObject':
      return putObject(store, request, headers, commit);
    case 'CopyObject':
      return copyObject(store, request, headers, commit);
    case 'GetObject':
      return readObject(store, request);
    case 'HeadObject':
      return headObject(store, request);
    case 'DeleteObject':
      return deleteObject(store, request);
    case 'DeleteObjects':
      return deleteObjects(store, request);
    case 'ListObjectsV2':
      return listObjects(store, request);
    case 'HeadBucket':
      store.bucket(request.bucket);
      return { status: 200, headers: {}, body: '' };
    case 'CreateMultipartUpload':
      return createUpload(store, request, headers);
    case 'UploadPart':
      return uploadPart(store, request);
    case 'UploadPartCopy':
      return copyPart(store, request);
    case 'CompleteMultipartUpload':
      return completeUpload(store, request, commit);
    case 'AbortMultipartUpload':
      return abortUpload(store, request);
    case 'ListParts':
      return listParts(store, request);
  }
};

/** The cost of one call: the IAM action, the bucket, and the bytes received or sent. */
const usageOf = (store: Store, request: S3Request, raw: AwsRequest, response: AwsResponse) => {
  const own = permissionsOf(store, request).find(({ action }) => action !== 's3:ListBucket');
  const bytes = Number(raw.headers['content-length'] ?? 0) + Number(response.headers['content-length'] ?? 0);
  return {
    action: own?.action ?? 's3:ListBucket',
    kind: request.bucket,
    ...oneCall,
    bytes: request.operation === 'HeadObject' ? 0 : bytes,
  };
};
