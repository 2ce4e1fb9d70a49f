import type { NeededPermission } from '../../core/types.ts';
import type { Operation, S3Request } from './requests.ts';
import type { Store } from './store.ts';

/** The IAM action on the object for each operation (S3's table of required permissions). */
const OBJECT_ACTIONS: Readonly<Partial<Record<Operation, string>>> = {
  AbortMultipartUpload: 's3:AbortMultipartUpload',
  CompleteMultipartUpload: 's3:PutObject',
  CopyObject: 's3:PutObject',
  CreateMultipartUpload: 's3:PutObject',
  DeleteObject: 's3:DeleteObject',
  GetObject: 's3:GetObject',
  HeadObject: 's3:GetObject',
  ListParts: 's3:ListMultipartUploadParts',
  PutObject: 's3:PutObject',
  UploadPart: 's3:PutObject',
  UploadPartCopy: 's3:PutObject',
};

const arn = (bucket: string, key?: string): string =>
  `arn:aws:s3:::${bucket}${key === undefined ? '' : `/${key}`}`;

/**
 * The permissions of a call. A read of a missing object needs s3:ListBucket too. Without this permission S3 answers 403
 * instead of 404.
 */
export const permissionsOf = (store: Store, request: S3Request): readonly NeededPermission[] => {
  const { operation, bucket, key, source, header } = request;
  if (operation === 'DeleteObjects') return [{ action: 's3:DeleteObject', resource: arn(bucket, '*') }];
  const action = OBJECT_ACTIONS[operation];
  if (action === undefined) return [listing(bucket, request.query.get('prefix') ?? '')];
  const own = { action, resource: arn(bucket, key) };
  const read = source && { action: 's3:GetObject', resource: arn(source.bucket, source.key) };
  const target = source ?? (action === 's3:GetObject' ? { bucket, key } : undefined);
  const missing = target && !store.bucket(target.bucket).objects.has(target.key);
  // S3 tells whether the object is the expected one, so the caller must be allowed to read it.
  const looks = operation === 'DeleteObject' && header('if-match') !== undefined;
  const looked = { action: 's3:GetObject', resource: arn(bucket, key) };
  return [
    ...(read ? [read] : []),
    own,
    ...(looks ? [looked] : []),
    ...(missing ? [listing(target.bucket, '')] : []),
  ];
};

const listing = (bucket: string, prefix: string): NeededPermission => ({
  action: 's3:ListBucket',
  resource: arn(bucket),
  context: { 's3:prefix': [prefix] },
});
