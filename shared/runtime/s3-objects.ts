/** S3 objects: the calls to S3 about objects, with the client of the SDK. */
import type { _Object, GetObjectCommandOutput, HeadObjectCommandOutput } from '@aws-sdk/client-s3';
import { isNamed, isStatus } from './aws-errors.ts';
import { jitteredPause } from './pause.ts';
import { putStream } from './parted-upload.ts';
import type { ListedObject, ObjectStore, PresentObject } from './ports.ts';
import { done, retryOnConflict } from './retry.ts';
import { partUploadsOf, tagOf } from './s3-part-uploads.ts';
import type { LoadedS3 } from './s3-sdk.ts';
import { unless, type Expected } from './unless.ts';

/** How often a whole object is read whose stream breaks. Pauses grow to 2 s. */
const patience = { rounds: 5, longest: Number.POSITIVE_INFINITY };

/** Bytes `from`..`to` of an object (inclusive, to the end when absent) that still has the entity tag. */
export interface WantedRange {
  readonly etag: string;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The calls to one bucket. They throw the errors of the SDK. */
export interface ObjectCalls extends Omit<ObjectStore, 'read' | 'presignPut' | 'presignGet'> {
  /**
   * Opens a stream of bytes. A stream may break at any place. A stream of a whole object fails at its end when its bytes
   * have another checksum than the object was stored with; S3 does not say checksums of ranges.
   */
  open(key: string, wanted: WantedRange): Promise<{ readonly body: unknown; readonly length: number }>;
}

/** The objects of the bucket of this name. */
export const objectsOf = (s3: LoadedS3, Bucket: string): ObjectCalls => {
  const { sdk, client } = s3;
  const put: ObjectStore['put'] = async (Key, body, { contentType: ContentType } = {}) => {
    const Body = typeof body === 'string' ? Buffer.from(body) : body;
    const size = Body.byteLength;
    const command = new sdk.PutObjectCommand({ Bucket, Key, Body, ContentLength: size, ContentType });
    return { size, etag: tagOf((await client.send(command)).ETag) };
  };
  const ports = { objects: { put }, parts: partUploadsOf(s3, Bucket) };
  return {
    put,
    head: async (Key) => {
      const command = new sdk.HeadObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' });
      const answer = await unless(missing, () => client.send(command));
      return answer && presentOf(answer);
    },
    get: (Key) =>
      retryOnConflict({ pause: jitteredPause, what: `s3: ${Key}`, patience }, async () => {
        const answer = await unless(missing, () => client.send(new sdk.GetObjectCommand({ Bucket, Key })));
        return answer ? wholeOf(answer) : done(undefined);
      }),
    open: async (Key, { etag, ...range }) => {
      const command = new sdk.GetObjectCommand({ Bucket, Key, IfMatch: etag, Range: rangeOf(range) });
      const { Body: body, ContentLength: length = 0 } = await client.send(command);
      return { body, length };
    },
    remove: async (Key) => {
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }));
    },
    removeVersion: async (Key, IfMatch) => {
      const command = new sdk.DeleteObjectCommand({ Bucket, Key, IfMatch });
      return (await unless(isAnother, () => client.send(command))) !== undefined;
    },
    putStream: (key, body, options) => putStream(ports, { key, ...options }, body),
    list: async (folder) => {
      const keys: string[] = [];
      for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket, Prefix: folder }))
        keys.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []));
      return keys;
    },
    listAfter: async (folder, after) => {
      const place = { Bucket, Prefix: folder, ...(after === '' ? {} : { StartAfter: after }) };
      // XML cannot hold every character that an SFTP client may put into a name.
      const page = await client.send(new sdk.ListObjectsV2Command({ ...place, EncodingType: 'url' }));
      return (page.Contents ?? []).map(listedOf);
    },
  };
};

const rangeOf = ({ from = 0, to }: Omit<WantedRange, 'etag'>): string | undefined =>
  from === 0 && to === undefined ? undefined : `bytes=${from}-${to ?? ''}`;

/** The bytes of an object, unless its stream broke: then the object is read again. */
const wholeOf = async ({ Body }: GetObjectCommandOutput) => {
  try {
    return done(await Body?.transformToByteArray());
  } catch (error) {
    if (isChecksumMismatch(error)) throw error;
    return 'conflict';
  }
};

/** Whether a stream of an object came to its end with other bytes than were stored. The SDK has no name for this. */
export const isChecksumMismatch = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Checksum mismatch');

const presentOf = (answer: HeadObjectCommandOutput): PresentObject => {
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

/** A bucket that is gone is no missing object. The answer to HEAD does not tell them apart. */
const missing: Expected = (error) => isStatus(error, 404) && !isNamed(error, 'NoSuchBucket');

/** The object is gone or was replaced, or somebody writes the key just now. */
const isAnother: Expected = (error) => missing(error) || isStatus(error, 412) || isStatus(error, 409);

const listedOf = ({ Key, Size, ETag, LastModified }: _Object): ListedObject => {
  if (Key === undefined || Size === undefined || ETag === undefined || LastModified === undefined)
    throw new Error('s3: a listing came without key, size, tag or time');
  const key = decodeURIComponent(Key.replaceAll('+', ' '));
  return { key, size: Size, etag: ETag, modified: LastModified.getTime() };
};
