/** Multipart upload: streams an object of unknown length to S3 in bounded memory. */
import type { CompletedPart } from '@aws-sdk/client-s3';
import type { ObjectInfo } from './ports.ts';
import type { LoadedS3 } from './s3-sdk.ts';

interface Target {
  readonly Bucket: string;
  readonly Key: string;
  readonly ContentType?: string;
}

/** Bytes of one part: S3's limit of 10,000 parts makes 83 GB; memory holds two parts at a time. */
const PART_BYTES = 8_388_608;

/**
 * Stores a stream of unknown length: the next part is filled while one part is under way. A stream that fits
 * one part becomes a plain put. The parts of a failed upload are no object; the bucket's lifecycle rule
 * discards them, also after a function was killed.
 */
export const putMultipart = async (
  s3: LoadedS3,
  target: Target,
  body: AsyncIterable<Uint8Array>,
): Promise<ObjectInfo> => {
  const parts = partsOf(body);
  const first = await parts.next();
  const head = first.done === true ? new Uint8Array() : first.value;
  if (head.byteLength < PART_BYTES) return putWhole(s3, target, head);
  const { sdk, client } = s3;
  const { UploadId } = await client.send(
    new sdk.CreateMultipartUploadCommand({ ...target, ChecksumAlgorithm: 'CRC32' }),
  );
  const upload = { Bucket: target.Bucket, Key: target.Key, UploadId };
  return uploadParts(s3, upload, head, parts);
};

const putWhole = async ({ sdk, client }: LoadedS3, target: Target, body: Uint8Array): Promise<ObjectInfo> => {
  const answer = await client.send(
    new sdk.PutObjectCommand({ ...target, Body: body, ContentLength: body.byteLength }),
  );
  return { size: body.byteLength, etag: tagOf(answer.ETag) };
};

const uploadParts = async (
  { sdk, client }: LoadedS3,
  upload: { Bucket: string; Key: string; UploadId: string | undefined },
  head: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): Promise<ObjectInfo> => {
  const done: CompletedPart[] = [];
  let size = 0;
  const send = async (body: Uint8Array): Promise<void> => {
    const part = { ...upload, PartNumber: done.length + 1, Body: body };
    const answer = await client.send(new sdk.UploadPartCommand({ ...part, ChecksumAlgorithm: 'CRC32' }));
    done.push({
      PartNumber: part.PartNumber,
      ETag: answer.ETag,
      ...(answer.ChecksumCRC32 === undefined ? {} : { ChecksumCRC32: answer.ChecksumCRC32 }),
    });
    size += body.byteLength;
  };
  const begin = (body: Uint8Array): Promise<void> => {
    const sent = send(body);
    // A part that fails while the next one is filled is thrown in its turn, not as an unhandled rejection.
    sent.catch(() => undefined);
    return sent;
  };
  let underWay = begin(head);
  try {
    for await (const body of rest) {
      await underWay;
      underWay = begin(body);
    }
  } finally {
    // Wait also when the source failed: nothing goes on once this function has ended.
    await underWay;
  }
  const answer = await client.send(
    new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: done } }),
  );
  return { size, etag: tagOf(answer.ETag) };
};

/** Regroups a stream into parts of exactly `PART_BYTES`, the last one shorter. */
export async function* partsOf(
  body: AsyncIterable<Uint8Array>,
  partBytes = PART_BYTES,
): AsyncGenerator<Uint8Array> {
  let part = new Uint8Array(partBytes);
  let filled = 0;
  for await (const chunk of body) {
    for (let taken = 0; taken < chunk.byteLength;) {
      const piece = chunk.subarray(taken, taken + partBytes - filled);
      part.set(piece, filled);
      filled += piece.byteLength;
      taken += piece.byteLength;
      if (filled < partBytes) continue;
      yield part;
      part = new Uint8Array(partBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}

/** The entity tag of an answer; S3 gives one with each stored object and part. Throws when the answer has none. */
export const tagOf = (etag: string | undefined): string => {
  if (etag === undefined) throw new Error('s3: an answer came without its tag');
  return etag;
};
