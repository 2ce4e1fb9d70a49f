/** Objects: puts, copies, reads and deletes single objects. */
import type { AwsResponse } from '../../core/types.ts';
import { xmlResponse } from '../../core/xml.ts';
import { ServiceError } from '../../core/service-error.ts';
import type { WrittenBlob } from './blobs.ts';
import { startDigest } from './checksums.ts';
import { checkDelete, checkRead, checkWrite, parseRange } from './conditions.ts';
import { receive, receiveDocument } from './receive.ts';
import type { S3Request } from './requests.ts';
import type { Commit, ObjectCreated, Store, StoredObject } from './store.ts';
import { checkXml, elements, textOf } from './xml.ts';

/** The headers that an object keeps besides its metadata. */
const KEPT =
  /^(content-type|content-language|content-disposition|content-encoding|cache-control|expires|x-amz-meta-.+)$/;

/** The headers of a request that the object keeps. `aws-chunked` is an encoding of the transfer, not of the object. */
export const keptHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> => {
  const kept: Record<string, string> = { 'content-type': 'application/octet-stream' };
  for (const [name, value] of Object.entries(headers)) if (KEPT.test(name)) kept[name] = value;
  const encoding = (kept['content-encoding'] ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'aws-chunked');
  if (encoding.length > 0) kept['content-encoding'] = encoding.join(',');
  else delete kept['content-encoding'];
  return kept;
};

/** The object of a key. Throws NoSuchKey. */
export const findObject = (store: Store, bucket: string, key: string): StoredObject => {
  const object = store.bucket(bucket).objects.get(key);
  if (!object) throw new ServiceError('NoSuchKey', 'The specified key does not exist.', 404);
  return object;
};

/** An object with one blob. */
export const objectOf = (key: string, blob: WrittenBlob, headers: StoredObject['headers']): StoredObject => ({
  key,
  blobs: [{ file: blob.file, size: blob.size }],
  size: blob.size,
  etag: `"${blob.tag}"`,
  modified: Date.now(),
  headers,
  checksum: {},
});

/** PutObject. */
export const putObject = async (
  store: Store,
  request: S3Request,
  headers: Readonly<Record<string, string>>,
  commit: Commit,
): Promise<AwsResponse> => {
  checkWrite(request.header, store.bucket(request.bucket).objects.get(request.key));
  const { blob, checksum } = await alone(store, request, () => receive(store.blobs, request));
  const object = { ...objectOf(request.key, blob, keptHeaders(headers)), checksum };
  commitChecked(store, request, object, () => commit(request.bucket, object, 'PutObject'));
  return { status: 200, headers: { etag: object.etag, ...checksum }, body: '' };
};

const openPuts = new WeakMap<Store, Map<string, number>>();

/**
 * Receives the body of a put. A put on condition that no object exists is refused while another put of the key is open: S3
 * cannot tell yet whether the condition will hold.
 */
const alone = async <T>(
  store: Store,
  { bucket, key, header }: S3Request,
  receiving: () => Promise<T>,
): Promise<T> => {
  const open = openPuts.get(store) ?? new Map<string, number>();
  openPuts.set(store, open);
  const name = `${bucket}/${key}`;
  const count = (): number => open.get(name) ?? 0;
  if (header('if-none-match') !== undefined && count() > 0) throw conflict();
  open.set(name, count() + 1);
  try {
    return await receiving();
  } finally {
    open.set(name, count() - 1);
    if (count() === 0) open.delete(name);
  }
};

const conflict = (): ServiceError =>
  new ServiceError(
    'ConditionalRequestConflict',
    'The conditional request cannot succeed due to a conflicting operation against this resource.',
    409,
  );

/** Checks the conditions again after the body has arrived. No other code runs between this check and the commit. */
export const commitChecked = (
  store: Store,
  request: S3Request,
  object: StoredObject,
  commit: () => unknown,
): void => {
  try {
    checkWrite(request.header, store.bucket(request.bucket).objects.get(request.key));
  } catch (error) {
    if (request.operation !== 'CompleteMultipartUpload') store.blobs.remove(object.blobs);
    throw error;
  }
  commit();
};

/** CopyObject. Copies the bytes, so that a deletion of one object leaves the other intact. */
export const copyObject = async (
  store: Store,
  request: S3Request,
  headers: Readonly<Record<string, string>>,
  commit: Commit,
): Promise<AwsResponse> => {
  const source = findObject(store, request.source?.bucket ?? '', request.source?.key ?? '');
  const wanted = request.header('x-amz-copy-source-if-match');
  if (wanted !== undefined && wanted.replaceAll('"', '') !== source.etag.replaceAll('"', '')) {
    throw new ServiceError(
      'PreconditionFailed',
      'At least one of the pre-conditions you specified did not hold',
      412,
    );
  }
  const blob = await store.blobs.write(store.blobs.read(source.blobs, 0, source.size - 1), []);
  const replace = request.header('x-amz-metadata-directive') === 'REPLACE';
  const object = objectOf(request.key, blob, replace ? keptHeaders(headers) : source.headers);
  const created: ObjectCreated['reason'] = 'CopyObject';
  commitChecked(store, request, object, () => commit(request.bucket, object, created));
  return xmlResponse('CopyObjectResult', {
    ETag: object.etag,
    LastModified: new Date(object.modified).toISOString(),
  });
};

/** Headers that a presigned download may override. */
const OVERRIDES = [
  'content-type',
  'content-language',
  'content-disposition',
  'content-encoding',
  'cache-control',
  'expires',
];

const computed = new WeakMap<StoredObject, Readonly<Record<string, string>>>();

/** S3 stores CRC64NVME for an object whose sender declared no checksum. It is computed when a caller first asks for it. */
const storedChecksum = async (
  store: Store,
  object: StoredObject,
): Promise<Readonly<Record<string, string>>> => {
  if (Object.keys(object.checksum).length > 0) return object.checksum;
  const known = computed.get(object);
  if (known) return known;
  const digest = startDigest('crc64nvme');
  for await (const piece of store.blobs.read(object.blobs, 0, object.size - 1))
    if (Buffer.isBuffer(piece)) digest.update(piece);
  const checksum = { 'x-amz-checksum-crc64nvme': digest.digest() };
  computed.set(object, checksum);
  return checksum;
};

/** HeadObject. */
export const headObject = async (store: Store, request: S3Request): Promise<AwsResponse> => {
  const response = readObject(store, request);
  if (response.status !== 200 || !asksForChecksum(request)) return response;
  const checksum = await storedChecksum(store, findObject(store, request.bucket, request.key));
  return { ...response, headers: { ...response.headers, ...checksum } };
};

const asksForChecksum = ({ header }: S3Request): boolean =>
  header('x-amz-checksum-mode')?.toUpperCase() === 'ENABLED';

/** GetObject and HeadObject. A GetObject returns only a checksum that the sender declared. */
export const readObject = (store: Store, request: S3Request): AwsResponse => {
  const { bucket, key, header, query, operation } = request;
  const object = findObject(store, bucket, key);
  const headers: Record<string, string> = {
    ...object.headers,
    etag: object.etag,
    'last-modified': new Date(object.modified).toUTCString(),
    'accept-ranges': 'bytes',
  };
  if (checkRead(header, object) === 'unchanged') return { status: 304, headers, body: '' };
  for (const name of OVERRIDES) {
    const value = query.get(`response-${name}`);
    if (value !== null) headers[name] = value;
  }
  const range = parseRange(header('range'), object.size);
  const { start, end } = range ?? { start: 0, end: object.size - 1 };
  headers['content-length'] = String(end - start + 1);
  if (range) headers['content-range'] = `bytes ${start}-${end}/${object.size}`;
  else if (asksForChecksum(request)) Object.assign(headers, object.checksum);
  const body = operation === 'HeadObject' ? '' : store.blobs.read(object.blobs, start, end);
  return { status: range ? 206 : 200, headers, body };
};

/** DeleteObject. Without `If-Match` the answer does not depend on whether the object existed. */
export const deleteObject = (store: Store, { bucket, key, header }: S3Request): AwsResponse => {
  checkDelete(header, store.bucket(bucket).objects.get(key));
  store.delete(bucket, key);
  return { status: 204, headers: {}, body: '' };
};

/** DeleteObjects. */
export const deleteObjects = async (store: Store, request: S3Request): Promise<AwsResponse> => {
  const document = await receiveDocument(request);
  checkXml(document);
  const keys = elements(document, 'Object').map((object) => textOf(object, 'Key') ?? '');
  if (keys.length === 0 || keys.length > 1000)
    throw new ServiceError('MalformedXML', 'The XML you provided was not well-formed');

  for (const key of keys) store.delete(request.bucket, key);
  const quiet = textOf(document, 'Quiet') === 'true';
  return xmlResponse('DeleteResult', quiet ? {} : { Deleted: keys.map((Key) => ({ Key })) });
};
