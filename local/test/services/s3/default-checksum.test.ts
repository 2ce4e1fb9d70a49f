import { HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, expect, it } from 'vitest';
import { Bucket, startS3 } from '../../gateway/bucket.ts';

const { s3, client, stop } = await startS3();
afterAll(stop);

const head = (Key: string) => client.send(new HeadObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' }));

// The check value of CRC-64/NVME in the catalogue of CRC algorithms.
const CHECK = Buffer.from('ae8b14860a799888', 'hex').toString('base64');

it('an object whose sender declared no checksum has the CRC64NVME of its bytes', async () => {
  await s3.put(Bucket, 'sent', Buffer.from('123456789'));
  expect((await head('sent')).ChecksumCRC64NVME).toBe(CHECK);
  await s3.put(Bucket, 'empty', Buffer.alloc(0));
  expect((await head('empty')).ChecksumCRC64NVME).toBe('AAAAAAAAAAA=');
});

it('a declared checksum is checked and kept', async () => {
  const put = (ChecksumCRC64NVME: string) =>
    client.send(new PutObjectCommand({ Bucket, Key: 'declared', Body: '123456789', ChecksumCRC64NVME }));
  await put(CHECK);
  expect((await head('declared')).ChecksumCRC64NVME).toBe(CHECK);
  await expect(put('AAAAAAAAAAA=')).rejects.toMatchObject({ name: 'BadDigest' });
});

it('two uploads of the same bytes have one checksum and two ETags', async () => {
  const versions = [];
  for (let time = 0; time < 2; time += 1) {
    await s3.put(Bucket, 'again', Buffer.from('same'));
    versions.push(await head('again'));
  }
  expect(new Set(versions.map(({ ETag }) => ETag)).size).toBe(2);
  expect(new Set(versions.map(({ ChecksumCRC64NVME }) => ChecksumCRC64NVME)).size).toBe(1);
});
