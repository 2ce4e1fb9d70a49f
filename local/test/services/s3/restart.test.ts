import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { newFolders } from '../../support/folders.ts';
import { Bucket, openS3, startS3 } from '../../gateway/bucket.ts';

const newFolder = newFolders();

it('objects and deletions survive a restart; leftovers of a crash do not', async () => {
  const dataDir = newFolder();
  const before = openS3({ dataDir });
  await before.put(Bucket, 'a', Buffer.from('old'));
  await before.put(Bucket, 'a', Buffer.from('new'));
  await before.put(Bucket, 'b', Buffer.from('b'));
  before.close();
  await writeFile(join(dataDir, 'blobs', 'leftover'), 'half an upload');
  await writeFile(join(dataDir, 'objects.jsonl'), '{"op":"put","buck', { flag: 'a' });
  const after = openS3({ dataDir });
  expect(after.list(Bucket)).toEqual(['a', 'b']);
  expect(await after.get(Bucket, 'a')).toEqual(Buffer.from('new'));
  expect(await readdir(join(dataDir, 'blobs'))).toHaveLength(2);
  after.close();
});

it('an upload begun before a restart goes on after it', async () => {
  const dataDir = newFolder();
  const target = { Bucket, Key: 'assembled' };
  const run = async <T>(work: (client: S3Client) => Promise<T>): Promise<T> => {
    const { client, stop } = await startS3({ dataDir });
    const result = await work(client);
    await stop();
    return result;
  };
  const begun = await run(async (client) => {
    const { UploadId } = await client.send(
      new CreateMultipartUploadCommand({ ...target, ChecksumAlgorithm: 'CRC32' }),
    );
    const Body = Buffer.alloc(5 * 1024 * 1024, 'x');
    const { ETag, ChecksumCRC32 } = await client.send(
      new UploadPartCommand({ ...target, UploadId, PartNumber: 1, Body }),
    );
    return { UploadId, part: { PartNumber: 1, ETag, ChecksumCRC32 } };
  });
  await run(async (client) => {
    const { UploadId } = begun;
    const { ETag, ChecksumCRC32 } = await client.send(
      new UploadPartCommand({ ...target, UploadId, PartNumber: 2, Body: 'end' }),
    );
    const Parts = [begun.part, { PartNumber: 2, ETag, ChecksumCRC32 }];
    await client.send(
      new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } }),
    );
  });
  const s3 = openS3({ dataDir });
  expect((await s3.get(Bucket, 'assembled'))?.length).toBe(5 * 1024 * 1024 + 3);
  s3.close();
});
