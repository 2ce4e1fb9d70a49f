import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createS3 } from '../../../services/s3/s3.ts';
import { clientOf, startGateway } from '../../gateway/cloud.ts';
import { newFolders } from '../../support/folders.ts';

const newFolder = newFolders();

const open = (dataDir: string) => {
  const s3 = createS3({ dataDir });
  s3.createBucket('kept');
  return s3;
};

it('objects and deletions survive a restart; leftovers of a crash do not', async () => {
  const dataDir = newFolder();
  const before = open(dataDir);
  await before.put('kept', 'a', Buffer.from('old'));
  await before.put('kept', 'a', Buffer.from('new'));
  await before.put('kept', 'b', Buffer.from('b'));
  before.close();
  await writeFile(join(dataDir, 'blobs', 'leftover'), 'half an upload');
  await writeFile(join(dataDir, 'objects.jsonl'), '{"op":"put","buck', { flag: 'a' });
  const after = open(dataDir);
  expect(after.list('kept')).toEqual(['a', 'b']);
  expect(await after.get('kept', 'a')).toEqual(Buffer.from('new'));
  expect(await readdir(join(dataDir, 'blobs'))).toHaveLength(2);
  after.close();
});

it('an upload begun before a restart goes on after it', async () => {
  const dataDir = newFolder();
  const target = { Bucket: 'kept', Key: 'assembled' };
  const run = async <T>(work: (client: S3Client) => Promise<T>): Promise<T> => {
    const s3 = open(dataDir);
    const gateway = await startGateway([s3.service]);
    const client = new S3Client({ ...clientOf(gateway), forcePathStyle: true });
    const result = await work(client);
    client.destroy();
    await gateway.close();
    s3.close();
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
  const s3 = open(dataDir);
  expect((await s3.get('kept', 'assembled'))?.length).toBe(5 * 1024 * 1024 + 3);
  s3.close();
});
