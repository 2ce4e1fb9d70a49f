/** Multipart uploads: the six operations on uploads and their parts. */
import { randomUUID } from 'node:crypto';
import type { AwsResponse } from '../../core/types.ts';
import { xmlResponse } from '../../core/xml.ts';
import { ServiceError } from '../../core/service-error.ts';
import { declaredChecksum, startDigest } from './checksums.ts';
import { checkWrite, parseRange } from './conditions.ts';
import { commitChecked, findObject, keptHeaders } from './objects.ts';
import { receive, receiveDocument } from './receive.ts';
import type { S3Request } from './requests.ts';
import type { Commit, Store, StoredObject, StoredPart, Upload } from './store.ts';
import { elements, textOf } from './xml.ts';

/** Minimum size of each part except the last, and the largest part number (S3's limits). */
const MIN_PART_BYTES = 5 * 1024 * 1024;
const MAX_PARTS = 10_000;

/** CreateMultipartUpload. */
export const createUpload = (
  store: Store,
  request: S3Request,
  headers: Readonly<Record<string, string>>,
): AwsResponse => {
  const { bucket, key } = request;
  store.bucket(bucket);
  const id = randomUUID();
  const algorithm = headers['x-amz-checksum-algorithm']?.toLowerCase();
  store.startUpload(bucket, { id, key, headers: keptHeaders(headers), algorithm, started: Date.now() });
  return xmlResponse('InitiateMultipartUploadResult', { Bucket: bucket, Key: key, UploadId: id });
};

const findUpload = (store: Store, { bucket, key, query }: S3Request): Upload => {
  const upload = store.bucket(bucket).uploads.get(query.get('uploadId') ?? '');
  if (upload?.key !== key)
    throw new ServiceError('NoSuchUpload', 'The specified upload does not exist.', 404);
  return upload;
};

const partNumber = ({ query }: S3Request): number => {
  const number = Number(query.get('partNumber'));
  if (Number.isInteger(number) && number >= 1 && number <= MAX_PARTS) return number;
  throw new ServiceError(
    'InvalidArgument',
    `Part number must be an integer between 1 and ${MAX_PARTS}, inclusive`,
  );
};

/** UploadPart. */
export const uploadPart = async (store: Store, request: S3Request): Promise<AwsResponse> => {
  const upload = findUpload(store, request);
  const number = partNumber(request);
  checkAlgorithm(upload, declaredChecksum(request.header)?.algorithm);
  const { blob, checksum } = await receive(store.blobs, request);
  store.addPart(request.bucket, upload.id, { ...blob, number, checksum });
  return { status: 200, headers: { etag: `"${blob.tag}"`, ...checksum }, body: '' };
};

/** The parts of an upload have the checksum that the upload was created with, or none. */
const checkAlgorithm = ({ algorithm }: Upload, declared: string | undefined): void => {
  if (algorithm === declared) return;
  throw new ServiceError(
    'InvalidRequest',
    `Checksum Type mismatch occurred, expected checksum Type: ${algorithm ?? 'null'}, actual checksum Type: ${declared ?? 'null'}`,
  );
};

/** UploadPartCopy of a whole object or a range of it. */
export const copyPart = async (store: Store, request: S3Request): Promise<AwsResponse> => {
  const upload = findUpload(store, request);
  const number = partNumber(request);
  const source = findObject(store, request.source?.bucket ?? '', request.source?.key ?? '');
  const range = parseRange(request.header('x-amz-copy-source-range'), source.size);
  const { start, end } = range ?? { start: 0, end: source.size - 1 };
  const { algorithm } = upload;
  const digest = algorithm === undefined ? undefined : startDigest(algorithm);
  const blob = await store.blobs.write(store.blobs.read(source.blobs, start, end), digest ? [digest] : []);
  const checksum = digest ? { [`x-amz-checksum-${algorithm}`]: digest.digest() } : {};
  const part = { ...blob, number, checksum };
  store.addPart(request.bucket, upload.id, part);
  const LastModified = new Date().toISOString();
  return xmlResponse('CopyPartResult', { ETag: `"${blob.tag}"`, LastModified, ...checksumsOf(part) });
};

/** CompleteMultipartUpload. The blobs of the parts become the object without a copy. */
export const completeUpload = async (
  store: Store,
  request: S3Request,
  commit: Commit,
): Promise<AwsResponse> => {
  const { bucket, key } = request;
  const document = await receiveDocument(request);
  const upload = findUpload(store, request);
  const parts = chosenParts(upload, document);
  checkWrite(request.header, store.bucket(bucket).objects.get(key));
  const object = assembled(upload, parts);
  commitChecked(store, request, object, () => {
    store.endUpload(bucket, upload.id, parts);
    commit(bucket, object, 'CompleteMultipartUpload');
  });
  const Location = `http://s3.local/${bucket}/${encodeURIComponent(key)}`;
  return xmlResponse('CompleteMultipartUploadResult', {
    Location,
    Bucket: bucket,
    Key: key,
    ETag: object.etag,
  });
};

const chosenParts = (upload: Upload, document: string): StoredPart[] => {
  let last = 0;
  const parts = elements(document, 'Part').map((element) => {
    const number = Number(textOf(element, 'PartNumber'));
    if (number <= last)
      throw new ServiceError('InvalidPartOrder', 'The list of parts was not in ascending order.');
    last = number;
    const part = upload.parts.get(number);
    if (!part || !matches(part, element))
      throw new ServiceError('InvalidPart', 'One or more of the specified parts could not be found.');

    if (Object.keys(checksumsOf(part)).some((tag) => textOf(element, tag) === undefined))
      throw withoutChecksum(upload, number);

    return part;
  });
  if (parts.length === 0) throw new ServiceError('MalformedXML', 'The XML you provided was not well-formed');
  if (parts.slice(0, -1).some(({ size }) => size < MIN_PART_BYTES))
    throw new ServiceError('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size');

  return parts;
};

const matches = (part: StoredPart, element: string): boolean =>
  textOf(element, 'ETag')?.replaceAll('"', '') === part.tag &&
  Object.entries(checksumsOf(part)).every(([tag, value]) => (textOf(element, tag) ?? value) === value);

const withoutChecksum = ({ algorithm }: Upload, number: number): ServiceError =>
  new ServiceError(
    'InvalidRequest',
    `The upload was created using a ${algorithm} checksum. The complete request must include the checksum for each part. It was missing for part ${number} in the request.`,
  );

/** The checksum of a part as an element. */
const checksumsOf = ({ checksum }: StoredPart): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(checksum).map(([name, value]) => [
      `Checksum${name.replace('x-amz-checksum-', '').toUpperCase()}`,
      value,
    ]),
  );

const assembled = (upload: Upload, parts: readonly StoredPart[]): StoredObject => ({
  key: upload.key,
  blobs: parts.map(({ file, size }) => ({ file, size })),
  size: parts.reduce((sum, { size }) => sum + size, 0),
  etag: `"${randomUUID().replaceAll('-', '')}-${parts.length}"`,
  modified: Date.now(),
  headers: upload.headers,
  checksum: {},
});

/** AbortMultipartUpload. */
export const abortUpload = (store: Store, request: S3Request): AwsResponse => {
  const upload = findUpload(store, request);
  store.endUpload(request.bucket, upload.id, []);
  return { status: 204, headers: {}, body: '' };
};

/** ListParts. Returns all parts in one page. */
export const listParts = (store: Store, request: S3Request): AwsResponse => {
  const upload = findUpload(store, request);
  const parts = [...upload.parts.values()].sort((left, right) => left.number - right.number);
  return xmlResponse('ListPartsResult', {
    Bucket: request.bucket,
    Key: request.key,
    UploadId: upload.id,
    IsTruncated: false,
    Part: parts.map((part) => ({
      PartNumber: part.number,
      ETag: `"${part.tag}"`,
      Size: part.size,
      ...checksumsOf(part),
    })),
  });
};
