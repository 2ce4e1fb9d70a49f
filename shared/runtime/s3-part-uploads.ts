/** S3 part uploads: implements the `PartUploads` port, for files that clients or the service upload in parts. */
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  paginateListParts,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { isStatus } from './aws-errors.ts';
import type { PartUploads, UploadedPart } from './ports.ts';
import { tagOf } from './s3-multipart.ts';

/** Multipart uploads to a bucket: by clients that hold the signed addresses, and by the service itself (`put`). */
export const partUploadsOf = (s3: S3Client, signer: S3Client, bucket: string): PartUploads => ({
  begin: async (key, { checked = false, contentType } = {}) => {
    const { UploadId } = await s3.send(
      new CreateMultipartUploadCommand({
        Bucket: bucket,
        Key: key,
        ...(checked ? { ChecksumAlgorithm: 'CRC32' } : {}),
        ...(contentType === undefined ? {} : { ContentType: contentType }),
      }),
    );
    if (UploadId === undefined) throw new Error('s3: an upload in parts has no id');
    return UploadId;
  },
  presign: (key, { upload, part, size, seconds }) =>
    getSignedUrl(
      signer,
      new UploadPartCommand({
        Bucket: bucket,
        Key: key,
        UploadId: upload,
        PartNumber: part,
        ContentLength: size,
      }),
      { expiresIn: seconds, signableHeaders: new Set(['content-length', 'host']) },
    ),
  put: async (key, { upload, part, body }) => {
    const about = { Bucket: bucket, Key: key, UploadId: upload, PartNumber: part };
    const command = new UploadPartCommand({
      ...about,
      Body: body,
      ContentLength: body.byteLength,
      ChecksumAlgorithm: 'CRC32',
    });
    const stored = await unlessGone(() => s3.send(command));
    return stored && { part, etag: tagOf(stored.ETag), size: body.byteLength, ...crcOf(stored) };
  },
  list: (key, upload) =>
    unlessGone(async () => {
      const parts: UploadedPart[] = [];
      const pages = paginateListParts({ client: s3 }, { Bucket: bucket, Key: key, UploadId: upload });
      for await (const { Parts = [] } of pages) {
        for (const { PartNumber, ETag, Size, ...more } of Parts) {
          if (PartNumber !== undefined && ETag !== undefined && Size !== undefined)
            parts.push({ part: PartNumber, etag: ETag, size: Size, ...crcOf(more) });
        }
      }
      return parts;
    }),
  complete: (key, upload, parts) => complete(s3, { Bucket: bucket, Key: key, UploadId: upload }, parts),
  abort: async (key, upload) => {
    const command = new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: upload });
    await unlessGone(() => s3.send(command));
  },
});

const complete = async (
  s3: S3Client,
  upload: { readonly Bucket: string; readonly Key: string; readonly UploadId: string },
  parts: readonly UploadedPart[],
): Promise<string | undefined> => {
  const Parts = parts.map(({ part, etag, crc32 }): CompletedPart => ({
    PartNumber: part,
    ETag: etag,
    ChecksumCRC32: crc32,
  }));
  const command = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } });
  const done = await unlessGone(() => s3.send(command));
  return done && tagOf(done.ETag);
};

const crcOf = ({ ChecksumCRC32 }: { ChecksumCRC32?: string | undefined }): { crc32?: string } =>
  ChecksumCRC32 === undefined ? {} : { crc32: ChecksumCRC32 };

/** S3 answers 404 for an upload that was completed, or discarded as too old. */
const unlessGone = async <T>(call: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await call();
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
};
