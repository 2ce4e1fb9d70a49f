/** S3 object store: implements the `ObjectStore` port. */
import {
  type _Object,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { s3Options } from './aws-client.ts';
import type { ListedObject, ObjectStore, PartUploads, PresentObject } from './ports.ts';
import { isStatus } from './aws-errors.ts';
import { putMultipart } from './s3-multipart.ts';
import { partUploadsOf } from './s3-part-uploads.ts';
import { readObject } from './s3-read.ts';

let client: S3Client | undefined;
let signer: S3Client | undefined;

/** The bucket of this name. */
export const objectStore = (bucket: string): ObjectStore => {
  client ??= new S3Client(s3Options());
  const s3 = client;
  return {
    put: (key, body, options) => putObject(s3, { Bucket: bucket, Key: key, Body: body }, options),
    putStream: (key, body, options = {}) =>
      putMultipart(s3, { Bucket: bucket, Key: key, ...contentType(options.contentType) }, body),
    head: async (key) => {
      try {
        return infoOf(
          await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: key, ChecksumMode: 'ENABLED' })),
        );
      } catch (error) {
        if (isStatus(error, 404)) return undefined;
        throw error;
      }
    },
    list: async (folder) => {
      const keys: string[] = [];
      for await (const page of paginateListObjectsV2({ client: s3 }, { Bucket: bucket, Prefix: folder }))
        keys.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []));
      return keys;
    },
    listAfter: async (folder, after) => {
      const place = { Bucket: bucket, Prefix: folder, ...(after === '' ? {} : { StartAfter: after }) };
      // XML cannot hold every character that an SFTP client may put into a name.
      const page = await s3.send(new ListObjectsV2Command({ ...place, EncodingType: 'url' }));
      return (page.Contents ?? []).map(listedOf);
    },
    remove: async (key) => {
      await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    },
    get: async (key) => {
      try {
        const answer = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        return await answer.Body?.transformToByteArray();
      } catch (error) {
        if (isStatus(error, 404)) return undefined;
        throw error;
      }
    },
    read: (key, options) => readObject(s3, { Bucket: bucket, Key: key }, options),
    presignPut: (key, { seconds, size }) => presignPut(bucket, key, seconds, size),
    presignGet: (key, options) => presignGet(bucket, key, options),
  };
};

const putObject = async (
  s3: S3Client,
  object: { readonly Bucket: string; readonly Key: string; readonly Body: Parameters<ObjectStore['put']>[1] },
  options: Parameters<ObjectStore['put']>[2] = {},
): Promise<void> => {
  const ContentLength = Buffer.byteLength(object.Body);
  await s3.send(new PutObjectCommand({ ...object, ContentLength, ...contentType(options.contentType) }));
};

const presignGet = (
  bucket: string,
  key: string,
  { seconds, fileName }: Parameters<ObjectStore['presignGet']>[1],
): Promise<string> =>
  getSignedUrl(
    signingClient(),
    new GetObjectCommand({
      Bucket: bucket,
      Key: key,
      ResponseContentDisposition: `attachment; filename="${asciiName(fileName)}"; filename*=UTF-8''${encodeURIComponent(fileName)}`,
    }),
    { expiresIn: seconds },
  );

/** Multipart uploads to the bucket of this name. */
export const partUploads = (bucket: string): PartUploads => {
  client ??= new S3Client(s3Options());
  return partUploadsOf(client, signingClient(), bucket);
};

const presignPut = async (
  bucket: string,
  key: string,
  seconds: number,
  size: number,
): Promise<{ url: string; headers: Record<string, string> }> => {
  const url = await getSignedUrl(
    signingClient(),
    new PutObjectCommand({ Bucket: bucket, Key: key, ContentLength: size, IfNoneMatch: '*' }),
    { expiresIn: seconds, signableHeaders: new Set(['content-length', 'host', 'if-none-match']) },
  );
  return { url, headers: { 'content-length': String(size), 'if-none-match': '*' } };
};

/**
 * A signed address must not carry the checksum of the empty body that it was signed with, so the SDK adds only
 * the checksums that S3 requires.
 */
const signingClient = (): S3Client =>
  (signer ??= new S3Client({ ...s3Options(), requestChecksumCalculation: 'WHEN_REQUIRED' }));

const contentType = (type: string | undefined): { ContentType?: string } =>
  type === undefined ? {} : { ContentType: type };

const infoOf = (answer: HeadObjectCommandOutput): PresentObject => {
  const { ContentLength: size, ETag: etag, LastModified: modified } = answer;
  if (size === undefined || etag === undefined || modified === undefined)
    throw new Error('s3: an answer came without length, tag or time');
  return { size, etag, modified: modified.getTime(), checksum: checksumOf(answer) };
};

/** S3 computes CRC64NVME for an object unless its sender declares another checksum. */
const algorithms = ['CRC64NVME', 'CRC32', 'CRC32C', 'SHA1', 'SHA256'] as const;

const checksumOf = (answer: HeadObjectCommandOutput): string | null => {
  for (const algorithm of algorithms) {
    const value = answer[`Checksum${algorithm}`];
    if (value !== undefined) return `${algorithm}:${value}`;
  }
  return null;
};

const listedOf = ({ Key, Size, ETag, LastModified }: _Object): ListedObject => {
  if (Key === undefined || Size === undefined || ETag === undefined || LastModified === undefined)
    throw new Error('s3: a listing came without key, size, tag or time');
  const key = decodeURIComponent(Key.replaceAll('+', ' '));
  return { key, size: Size, etag: ETag, modified: LastModified.getTime() };
};

const asciiName = (fileName: string): string => fileName.replace(/[^\w. -]/g, '_');
