/** S3 part uploads: the calls to S3 behind the `PartUploads` port, for files that clients or the service upload in parts. */
import type { CompletedPart } from '@aws-sdk/client-s3';
import { isStatus } from './aws-errors.ts';
import type { PartUploads, UploadedPart } from './ports.ts';
import type { LoadedS3 } from './s3-sdk.ts';
import { unless, type Expected } from './unless.ts';

/** Multipart uploads to a bucket: by clients that hold the signed addresses, and by the service itself (`put`). */
export const partUploadsOf = ({ sdk, client }: LoadedS3, bucket: string): Omit<PartUploads, 'presign'> => ({
  begin: async (key, { checked = false, contentType } = {}) => {
    const { UploadId } = await client.send(
      new sdk.CreateMultipartUploadCommand({
        Bucket: bucket,
        Key: key,
        ...(checked ? { ChecksumAlgorithm: 'CRC32' } : {}),
        ...(contentType === undefined ? {} : { ContentType: contentType }),
      }),
    );
    if (UploadId === undefined) throw new Error('s3: an upload in parts has no id');
    return UploadId;
  },
  put: async (key, { upload, part, body }) => {
    const about = { Bucket: bucket, Key: key, UploadId: upload, PartNumber: part };
    const command = new sdk.UploadPartCommand({
      ...about,
      Body: body,
      ContentLength: body.byteLength,
      ChecksumAlgorithm: 'CRC32',
    });
    const stored = await unless(gone, () => client.send(command));
    return stored && { part, etag: tagOf(stored.ETag), size: body.byteLength, ...crcOf(stored) };
  },
  list: (key, upload) =>
    unless(gone, async () => {
      const parts: UploadedPart[] = [];
      const pages = sdk.paginateListParts({ client }, { Bucket: bucket, Key: key, UploadId: upload });
      for await (const { Parts = [] } of pages) {
        for (const { PartNumber, ETag, Size, ...more } of Parts) {
          if (PartNumber !== undefined && ETag !== undefined && Size !== undefined)
            parts.push({ part: PartNumber, etag: ETag, size: Size, ...crcOf(more) });
        }
      }
      return parts;
    }),
  complete: (key, upload, parts) =>
    complete({ sdk, client }, { Bucket: bucket, Key: key, UploadId: upload }, parts),
  abort: async (key, upload) => {
    const command = new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: upload });
    await unless(gone, () => client.send(command));
  },
});

const complete = async (
  { sdk, client }: LoadedS3,
  upload: { readonly Bucket: string; readonly Key: string; readonly UploadId: string },
  parts: readonly UploadedPart[],
): Promise<string | undefined> => {
  const Parts = parts.map(({ part, etag, crc32 }): CompletedPart => ({
    PartNumber: part,
    ETag: etag,
    ChecksumCRC32: crc32,
  }));
  const command = new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } });
  const done = await unless(gone, () => client.send(command));
  return done && tagOf(done.ETag);
};

/** The entity tag of an answer; S3 gives one with each stored object and part. Throws when the answer has none. */
export const tagOf = (etag: string | undefined): string => {
  if (etag === undefined) throw new Error('s3: an answer came without its tag');
  return etag;
};

const crcOf = ({ ChecksumCRC32 }: { ChecksumCRC32?: string | undefined }): { crc32?: string } =>
  ChecksumCRC32 === undefined ? {} : { crc32: ChecksumCRC32 };

/** S3 answers 404 for an upload that was completed, or discarded as too old. */
const gone: Expected = (error) => isStatus(error, 404);
