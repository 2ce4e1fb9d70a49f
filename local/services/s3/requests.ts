/** S3 requests: parses path-style requests into operations. */
import type { AwsRequest } from '../../core/types.ts';
import { ServiceError } from '../../core/service-error.ts';

/** The supported operations. */
export type Operation =
  | 'AbortMultipartUpload'
  | 'CompleteMultipartUpload'
  | 'CopyObject'
  | 'CreateMultipartUpload'
  | 'DeleteObject'
  | 'DeleteObjects'
  | 'GetObject'
  | 'HeadBucket'
  | 'HeadObject'
  | 'ListObjectsV2'
  | 'ListParts'
  | 'PutObject'
  | 'UploadPart'
  | 'UploadPartCopy';

/** A parsed request. */
export interface S3Request {
  readonly operation: Operation;
  readonly bucket: string;
  readonly key: string;
  readonly query: URLSearchParams;
  /** A header, or the query parameter of a presigned URL in its place. */
  readonly header: (name: string) => string | undefined;
  readonly body: AwsRequest['body'];
  readonly source: CopySource | undefined;
}

/** The source of a copy. */
interface CopySource {
  readonly bucket: string;
  readonly key: string;
}

/** Parses a path-style request. Throws NotImplemented for unsupported operations. */
export const parseRequest = (request: AwsRequest): S3Request => {
  const { bucket, key } = split(request.path);
  const header = (name: string) => request.headers[name] ?? hoisted(request.query, name);
  const copied = header('x-amz-copy-source');
  const operation = key === '' ? bucketOperation(request) : objectOperation(request, copied !== undefined);
  if (!operation) {
    throw new ServiceError(
      'NotImplemented',
      `${request.method} of this kind is not known to the embedded cloud`,
      501,
    );
  }
  const source =
    copied === undefined ? undefined : split(`/${copied.replace(/^\//, '').split('?')[0] ?? ''}`);
  return { operation, bucket, key, query: request.query, header, body: request.body, source };
};

/** Presigners move x-amz-* headers into the query, and S3 accepts them there. */
const hoisted = (query: URLSearchParams, name: string): string | undefined => {
  if (!name.startsWith('x-amz-')) return undefined;
  for (const [key, value] of query) if (key.toLowerCase() === name) return value;
  return undefined;
};

/** The bucket in a path, which may be of any request. */
export const bucketIn = (path: string): string => path.split('/')[1] ?? '';

/** S3 allows keys of up to 1,024 bytes. */
const MAX_KEY_BYTES = 1024;

const split = (path: string): CopySource => {
  const [, bucket = '', key = ''] = /^\/([^/]*)(?:\/([^]*))?$/.exec(path) ?? [];
  const decoded = decode(key);
  if (Buffer.byteLength(decoded) > MAX_KEY_BYTES)
    throw new ServiceError('KeyTooLongError', 'Your key is too long');
  return { bucket: decode(bucket), key: decoded };
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ServiceError('InvalidURI', "Couldn't parse the specified URI.");
  }
};

const bucketOperation = ({ method, query }: AwsRequest): Operation | undefined => {
  if (method === 'GET' && query.get('list-type') === '2') return 'ListObjectsV2';
  if (method === 'POST' && query.has('delete')) return 'DeleteObjects';
  return method === 'HEAD' ? 'HeadBucket' : undefined;
};

const objectOperation = ({ method, query }: AwsRequest, copies: boolean): Operation | undefined => {
  if (query.has('tagging') || query.has('acl') || query.has('attributes')) return undefined;
  const upload = query.has('uploadId');
  switch (method) {
    case 'GET':
      return upload ? 'ListParts' : 'GetObject';
    case 'HEAD':
      return 'HeadObject';
    case 'PUT':
      if (upload) return copies ? 'UploadPartCopy' : 'UploadPart';
      return copies ? 'CopyObject' : 'PutObject';
    case 'POST':
      if (query.has('uploads')) return 'CreateMultipartUpload';
      return upload ? 'CompleteMultipartUpload' : undefined;
    case 'DELETE':
      return upload ? 'AbortMultipartUpload' : 'DeleteObject';
    default:
      return undefined;
  }
};
